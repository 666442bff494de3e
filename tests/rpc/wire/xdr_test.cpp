#include "rpc/wire/xdr.hpp"

#include <gtest/gtest.h>
#include <sys/ioctl.h>

#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tasuki/error.hpp>
#include <thread>
#include <utility>

#include "rpc/wire/short_run.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

template <class Type>
std::vector<std::uint8_t> encoded(Number number, const Type& value) {
  std::vector<std::uint8_t> wire(xdr_bytes_of(number));
  encode_xdr(number, std::as_bytes(std::span(&value, 1)),
             reinterpret_cast<std::byte*>(wire.data()));
  Type back{};
  decode_xdr(number, reinterpret_cast<const std::byte*>(wire.data()),
             std::as_writable_bytes(std::span(&back, 1)));
  EXPECT_EQ(back, value);
  return wire;
}

using Bytes = std::vector<std::uint8_t>;

TEST(XdrTest, NumbersAreAsTheStandardHasThem) {
  EXPECT_EQ(encoded(Number::int32, std::int32_t{-2}), (Bytes{0xff, 0xff, 0xff, 0xfe}));
  EXPECT_EQ(encoded(Number::uint32, std::uint32_t{0x01020304}), (Bytes{1, 2, 3, 4}));
  EXPECT_EQ(encoded(Number::int64, std::int64_t{258}), (Bytes{0, 0, 0, 0, 0, 0, 1, 2}));
  EXPECT_EQ(encoded(Number::float32, 1.0F), (Bytes{0x3f, 0x80, 0, 0}));
  EXPECT_EQ(encoded(Number::float64, -2.0), (Bytes{0xc0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(encoded(Number::complex64, std::complex<float>(1, 2)),
            (Bytes{0x3f, 0x80, 0, 0, 0x40, 0, 0, 0}));
}

TEST(XdrTest, ShortIntegersTravelAsFourBytes) {
  EXPECT_EQ(encoded(Number::int8, std::int8_t{-1}), (Bytes{0xff, 0xff, 0xff, 0xff}));
  EXPECT_EQ(encoded(Number::uint8, std::uint8_t{255}), (Bytes{0, 0, 0, 255}));
  EXPECT_EQ(encoded(Number::int16, std::int16_t{-300}), (Bytes{0xff, 0xff, 0xfe, 0xd4}));
  EXPECT_EQ(encoded(Number::uint16, std::uint16_t{65535}), (Bytes{0, 0, 255, 255}));
}

TEST(XdrTest, NumbersBeyondTheirTypeAreRefused) {
  const std::array<std::uint8_t, 4> wire = {0, 0, 1, 0};
  std::byte number{};
  EXPECT_THROW(decode_xdr(Number::uint8, reinterpret_cast<const std::byte*>(wire.data()),
                          std::span(&number, 1)),
               error);
}

TEST(XdrTest, LongBlocksPassThroughTheBuffers) {
  for (const Number number : {Number::int8, Number::uint16, Number::float32, Number::complex128}) {
    auto [near, far] = connected();
    const std::vector<std::byte> numbers = counted(960'000);
    std::vector<std::byte> back(numbers.size());
    const std::span<const std::byte> all(numbers);
    std::jthread sending([&] {
      XdrSender sender(near);
      sender.add(number, all.first(48));  // What does not fill the buffer is kept.
      sender.add(number, all.subspan(48));
      sender.flush();
    });
    XdrReceiver receiver(far);
    receiver.receive(number, std::span(back).first(480'000));
    receiver.receive(number, std::span(back).subspan(480'000));
    EXPECT_EQ(back, numbers);
  }
}

constexpr Socket::Seconds patience{60};

std::pair<Socket, Socket> connected_by_tcp() {
  Listener listener({"127.0.0.1", 0});
  Socket near = Socket::connect({"127.0.0.1", listener.port()}, patience);
  Socket far = listener.accept(patience);
  near.set_timeout(patience);
  far.set_timeout(patience);
  return {std::move(near), std::move(far)};
}

/// Has the system received so many bytes within moments, which nobody has asked it for?
bool come_unasked(const Socket& socket, std::size_t bytes) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  while (std::chrono::steady_clock::now() < deadline) {
    int come_bytes = 0;
    if (ioctl(socket.descriptor(), FIONREAD, &come_bytes) == 0 &&
        static_cast<std::size_t>(come_bytes) >= bytes) {
      return true;
    }
    std::this_thread::yield();
  }
  return false;
}

// A piece is converted in the thread that receives, while the system has room for the next one.
TEST(XdrTest, TheNextPieceComesWhileOneIsConverted) {
  auto [near, far] = connected_by_tcp();
  const std::vector<std::byte> numbers = counted(32 * run_buffer_bytes);
  std::vector<std::byte> back(numbers.size());
  std::jthread sending([&near = near, &numbers] {
    XdrSender sender(near);
    sender.add(Number::float64, numbers);
    sender.flush();
  });
  XdrReceiver receiver(far);
  std::size_t overlapped_count = 0;
  for (std::size_t at = 0; at < numbers.size(); at += run_buffer_bytes) {
    receiver.receive(Number::float64, std::span(back).subspan(at, run_buffer_bytes));
    // Until the next call nobody receives, as during the conversion. The system finds out by the
    // first pieces how much room it must give.
    if (overlapped_count == 0 && come_unasked(far, run_buffer_bytes)) ++overlapped_count;
  }
  EXPECT_EQ(overlapped_count, 1U);
  EXPECT_EQ(back, numbers);
}

TEST(XdrTest, TheNextPieceIsConvertedBeforeOneHasBeenReceived) {
  auto [near, far] = connected_by_tcp();
  const std::vector<std::byte> numbers = counted(2 * run_buffer_bytes);
  XdrSender sender(near);
  sender.add(Number::float64, numbers);  // Sends the first piece, which nobody receives yet.
  std::vector<std::byte> back(numbers.size());
  XdrReceiver receiver(far);
  receiver.receive(Number::float64, std::span(back).first(run_buffer_bytes));
  sender.flush();
  receiver.receive(Number::float64, std::span(back).subspan(run_buffer_bytes));
  EXPECT_EQ(back, numbers);
}

}  // namespace
}  // namespace tasuki::rpc
