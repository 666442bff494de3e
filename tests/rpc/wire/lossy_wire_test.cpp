#include "rpc/wire/lossy_wire.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "layout/block_copies.hpp"
#include "rpc/tls/tls_context.hpp"
#include "rpc/tls/tls_secret.hpp"
#include "rpc/wire/block_receiver.hpp"
#include "rpc/wire/block_sender.hpp"
#include "rpc/wire/file_transfer.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/private_file.hpp"
#include "rpc/wire/transfers.hpp"
#include "rpc/wire/xdr.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// What one end sends, and what the other one receives and compares. Both throw tasuki::error if
/// the connection ends before.
struct Conversation {
  const char* name;
  void (*say)(Socket& socket);
  void (*hear)(Socket& socket);
};

// ---- messages ----------------------------------------------------------------------------------

json message(std::size_t number) {
  return {{"message", "call"}, {"number", number}, {"text", std::string(number * 1500, 'x')}};
}
constexpr std::size_t messages_count = 6;
void say_messages(Socket& socket) {
  for (std::size_t i = 0; i < messages_count; ++i) send_frame(socket, message(i));
}
void hear_messages(Socket& socket) {
  for (std::size_t i = 0; i < messages_count; ++i) EXPECT_EQ(receive_frame(socket), message(i));
}

// ---- blocks ------------------------------------------------------------------------------------

/// Long runs, which are sent from the array, and elements in turn, which go by a buffer.
std::vector<ArrayLayout> small_layouts() {
  return {{{Axis(30, layout::Cyclic{}, 2), Axis(200, layout::Whole{}, 1)}, Grid({2, 1}), 8},
          {{Axis(30, layout::Block{}, 1), Axis(200, layout::Cyclic{}, 2)}, Grid({1, 2}), 8}};
}
void say_blocks(Socket& socket) {
  BlockSender sender(socket);
  for (const ArrayLayout& one : small_layouts()) {
    const std::vector<std::byte> array = counted(static_cast<std::size_t>(one.whole_bytes()));
    sender.add_block(one, 1, contiguous_view(one, layout::Order::row_major), array.data());
    sender.flush();
  }
}
void hear_blocks(Socket& socket) {
  for (const ArrayLayout& one : small_layouts()) {
    const ArrayView view = contiguous_view(one, layout::Order::row_major);
    const std::vector<std::byte> array = counted(static_cast<std::size_t>(one.whole_bytes()));
    std::vector<std::byte> block(static_cast<std::size_t>(one.local_bytes(1)));
    layout::pack_by_elements(one, 1, view, array, block);
    std::vector<std::byte> expected(array.size());
    layout::unpack_by_elements(one, 1, view, block, expected);
    std::vector<std::byte> received(array.size());
    receive_block(socket, one, 1, view, received.data());
    EXPECT_EQ(received, expected);
  }
}

// ---- numbers -----------------------------------------------------------------------------------

constexpr std::size_t numbers_bytes = 40'000;
void say_numbers(Socket& socket) {
  const std::vector<std::byte> numbers = counted(numbers_bytes);
  XdrSender sender(socket);
  sender.add(Number::float64, numbers);
  sender.add(Number::int16, std::span(numbers).first(2002));
  sender.flush();
}
void hear_numbers(Socket& socket) {
  const std::vector<std::byte> numbers = counted(numbers_bytes);
  std::vector<std::byte> received(numbers_bytes);
  XdrReceiver receiver(socket);
  receiver.receive(Number::float64, received);
  EXPECT_EQ(received, numbers);
  receiver.receive(Number::int16, std::span(received).first(2002));
  EXPECT_EQ(received, numbers);
}

// ---- files -------------------------------------------------------------------------------------

std::string file_text() {
  std::string text(70'000, 'a');
  for (std::size_t i = 0; i < text.size(); i += 97) text[i] = static_cast<char>('a' + i % 26);
  return text;
}
void say_file(Socket& socket) {
  const PrivateFile file;
  std::ofstream(file.path()) << file_text();
  send_file(socket, file.descriptor(), file.bytes());
}
void hear_file(Socket& socket) {
  const PrivateFile file;
  receive_file(socket, file.descriptor(), static_cast<std::int64_t>(file_text().size()));
  std::ifstream stream(file.path());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), file_text());
}

// ---- all of these, encrypted -------------------------------------------------------------------

constexpr Socket::Seconds patience{60};

std::optional<std::string> ticket_of(std::string_view identity) {
  return identity == identity_of("ticket") ? std::optional<std::string>("ticket") : std::nullopt;
}
void say_encrypted(Socket& socket) {
  socket.encrypt("ticket", patience);
  for (const auto say : {say_messages, say_blocks, say_numbers, say_file}) say(socket);
}
void hear_encrypted(Socket& socket) {
  socket.accept_encryption(TlsContext::for_listeners(ticket_of), patience);
  for (const auto hear : {hear_messages, hear_blocks, hear_numbers, hear_file}) hear(socket);
}

class LossyWireTest : public testing::TestWithParam<Conversation> {
 protected:
  struct Ended {
    bool has_heard_all = false;
    std::int64_t passed_bytes = 0;
  };

  static Ended converse(unsigned seed, std::int64_t most_bytes) {
    LossyWire wire(seed, most_bytes);
    std::thread saying([near = wire.take_near()]() mutable {
      happened_in([&] {
        GetParam().say(near);
        near.first_byte();  // Until the other end has gone.
      });
    });
    bool has_heard_all = false;
    {
      Socket far = wire.take_far();
      has_heard_all = happened_in([&] { GetParam().hear(far); }).empty();
    }
    saying.join();
    return {has_heard_all, wire.passed_bytes()};
  }
};

INSTANTIATE_TEST_SUITE_P(Of, LossyWireTest,
                         testing::Values(Conversation{"messages", say_messages, hear_messages},
                                         Conversation{"blocks", say_blocks, hear_blocks},
                                         Conversation{"numbers", say_numbers, hear_numbers},
                                         Conversation{"a_file", say_file, hear_file},
                                         Conversation{"all_encrypted", say_encrypted,
                                                      hear_encrypted}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(LossyWireTest, PiecesThatComeLateMakeNoDifference) {
  for (const unsigned seed : wire_seeds()) {
    SCOPED_TRACE(seed);
    EXPECT_TRUE(converse(seed, LossyWire::loses_nothing).has_heard_all);
  }
}

TEST_P(LossyWireTest, AConnectionThatEndsAtAnyByteIsAnErrorAtBothEnds) {
  const std::int64_t all_bytes = converse(0, LossyWire::loses_nothing).passed_bytes;
  for (const unsigned seed : wire_seeds()) {
    SCOPED_TRACE(seed);
    // The last bytes of an encrypted connection say nothing but that it ends.
    const auto lost_after = static_cast<std::int64_t>(std::mt19937(seed)() %
                                                      static_cast<std::uint32_t>(all_bytes - 1000));
    EXPECT_FALSE(converse(seed, lost_after).has_heard_all);
  }
}

}  // namespace
}  // namespace tasuki::rpc
