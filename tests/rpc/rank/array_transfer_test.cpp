#include "rpc/rank/array_transfer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <future>
#include <limits>
#include <string>
#include <vector>

#include "rpc/rank/played_rank.hpp"
#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// a[4][3], whose rows are dealt to two ranks, this being the second; and the client's whole array
/// in column-major order.
class ArrayTransferTest : public PlayedRank {
 protected:
  ArrayTransferTest() {
    reporter_.begin_lease(1);
    reporter_.begin({"call", "f"}, rank_end_);
    for (std::size_t i = 0; i < whole_.size(); ++i) whole_[i] = static_cast<std::int32_t>(i + 1);
  }

  ArrayBlock block() { return {parameter_, layout_, 1, std::as_writable_bytes(std::span(block_))}; }
  json in_memory(const json& strides) const {
    return {{"memory",
             {{"a",
               {{"address", reinterpret_cast<std::uintptr_t>(whole_.data())},
                {"first_offset_bytes", 0},
                {"stride_bytes", strides}}}}}};
  }
  std::string read(const json& strides) {
    ArrayTransfer transfer(readable_, in_memory(strides));
    return happened_in([&] { transfer.receive(block()); });
  }

  const Parameter parameter_ = parameter("a", Mode::inout, Number::int32, {4, 3});
  const ArrayLayout layout_{
      {Axis(4, layout::Cyclic{}, 2), Axis(3, layout::Whole{}, 1)}, Grid({2, 1}), 4};
  std::array<std::int32_t, 12> whole_{};
  std::array<std::int32_t, 6> block_{};
  const std::array<std::int32_t, 6> rows_1_and_3_ = {2, 6, 10, 4, 8, 12};
  const std::string secret_ = "a secret of both";
  const std::optional<PeerMemory> nothing_ = {};
  const std::pair<Socket, Socket> ends_ = connected_by_tcp();
  const std::optional<PeerMemory> memory_ =
      PeerMemory::find(memory_offer(secret_), secret_, ends_.first);
  BlockSender sender_{rank_end_};
  CopyCodes copies_{"secret"};
  const ClientLink distant_{rank_end_, sender_, nothing_, reporter_, copies_};
  const ClientLink readable_{rank_end_, sender_, memory_, reporter_, copies_};
};

TEST_F(ArrayTransferTest, ABlockComesByTheConnection) {
  client_.send(rows_1_and_3_.data(), sizeof rows_1_and_3_);
  ArrayTransfer(distant_, json::object()).receive(block());
  EXPECT_EQ(block_, rows_1_and_3_);
}

TEST_F(ArrayTransferTest, ABlockIsReadFromTheClientsMemory) {
  ASSERT_TRUE(memory_);
  EXPECT_EQ(read({4, 16}), "");
  EXPECT_EQ(block_, rows_1_and_3_);
}

TEST_F(ArrayTransferTest, MemoryThatCannotBeReadIsRefused) {
  const std::string happened = "the client's memory cannot be read here";
  EXPECT_EQ(happened_in([&] { ArrayTransfer(distant_, in_memory({4, 16})); }), happened);
  json as_xdr = in_memory({4, 16});
  as_xdr["wire"] = "xdr";
  EXPECT_EQ(happened_in([&] { ArrayTransfer(readable_, as_xdr); }), happened);
}

TEST_F(ArrayTransferTest, StridesThatAreNoneOfTheArrayAreRefused) {
  EXPECT_EQ(read(json::array({4})), "1 strides for 2 axes");
  EXPECT_EQ(read({4, "far"}), "its field stride_bytes is missing or of another type");
  // No address has so many bytes: nothing may be computed with that.
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const json& strides : {json({most, 16}), json({4, -most}), json({most / 2, most / 2})}) {
    EXPECT_NE(read(strides), "") << strides;
  }
}

TEST_F(ArrayTransferTest, CopiesThatDifferHaveDifferentCodesHoweverTheyCome) {
  const ArrayLayout copied({Axis(6, layout::Whole{}, 1)}, layout::Replicated{2}, 4);
  const Parameter parameter = rpc::parameter("a", Mode::in, Number::int32, {6});
  const auto code_of = [&](const std::array<unsigned char, 24>& bytes, const char* wire) {
    client_.send(bytes.data(), bytes.size());
    copies_.begin_call();
    ArrayTransfer(distant_, {{"wire", wire}}).receive({parameter, copied, 1, block().bytes});
    return std::vector(copies_.all().begin(), copies_.all().end());
  };
  const auto code_of_memory = [&](std::int64_t stride_bytes) {
    copies_.begin_call();
    ArrayTransfer(readable_, in_memory(json::array({stride_bytes})))
        .receive({parameter, copied, 1, block().bytes});
    return std::vector(copies_.all().begin(), copies_.all().end());
  };
  const auto first =
      code_of({1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6}, "native");
  EXPECT_EQ(first.size(), 16U);
  EXPECT_EQ(
      code_of({0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6}, "xdr"),
      first);
  EXPECT_NE(
      code_of({0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 7}, "xdr"),
      first);
  EXPECT_NE(code_of({1}, "native"), first);
  EXPECT_EQ(code_of_memory(4), first);
  EXPECT_NE(code_of_memory(8), first);
}

TEST_F(ArrayTransferTest, WhatIsDividedHasNoCode) {
  client_.send(rows_1_and_3_.data(), sizeof rows_1_and_3_);
  ArrayTransfer(distant_, json::object()).receive(block());
  EXPECT_TRUE(copies_.all().empty());
}

TEST_F(ArrayTransferTest, WhatIsNotWantedIsTakenFromTheConnectionAndNoMore) {
  for (const char* wire : {"native", "xdr"}) {
    client_.send(whole_.data(), sizeof rows_1_and_3_);
    const char next = '!';
    client_.send(&next, 1);
    ArrayTransfer(distant_, {{"wire", wire}}).discard(block());
    char received = 0;
    rank_end_.receive(&received, 1);
    EXPECT_EQ(received, next);
  }
}

TEST_F(ArrayTransferTest, NothingIsDiscardedOfWhatIsInMemory) {
  ArrayTransfer(readable_, in_memory({4, 16})).discard(block());
  EXPECT_EQ(rank_end_.moved_bytes(), 0);
}

TEST_F(ArrayTransferTest, ResultsFollowTheirMessageInTheFormOfTheCall) {
  block_ = rows_1_and_3_;
  ArrayTransfer(distant_, {{"wire", "xdr"}}).send_results({{"message", "results"}}, {block()}, {});
  EXPECT_EQ(receive_frame(client_), json({{"message", "results"}}));
  std::array<unsigned char, 24> received{};
  client_.receive(received.data(), received.size());
  EXPECT_EQ(received[3], 2);
  EXPECT_EQ(received[23], 12);
}

TEST_F(ArrayTransferTest, BlocksStayWhereTheyAreUntilTheClientHasReadThem) {
  ArrayTransfer transfer(readable_, in_memory({4, 16}));
  const CallFiles files;
  auto sending = std::async(std::launch::async, [&] {
    transfer.send_results({{"message", "results"}}, {block()}, files);
  });
  const json results = receive_frame(client_);
  EXPECT_EQ(results.at("memory").at("a"), reinterpret_cast<std::uintptr_t>(block_.data()));
  EXPECT_EQ(sending.wait_for(std::chrono::milliseconds(10)), std::future_status::timeout);
  send_frame(client_, {{"message", "taken"}});
  sending.get();
}

TEST_F(ArrayTransferTest, OfAnArrayWithARangeOnlyItsElementsTravel) {
  const ArrayLayout part = layout_.selecting({{1, 3, 1}, {0, 3, 1}});  // Of this rank's row 1.
  const ArrayBlock of_part{parameter_, part, 1, block().bytes};
  for (const char* wire : {"native", "xdr"}) {
    block_.fill(-1);
    const std::array<unsigned char, 12> numbers = {2, 0, 0, 0, 6, 0, 0, 0, 10, 0, 0, 0};
    const std::array<unsigned char, 12> as_xdr = {0, 0, 0, 2, 0, 0, 0, 6, 0, 0, 0, 10};
    const auto& form = std::string(wire) == "xdr" ? as_xdr : numbers;
    client_.send(form.data(), form.size());
    ArrayTransfer transfer(distant_, {{"wire", wire}});
    transfer.receive(of_part);
    EXPECT_EQ(block_, (std::array<std::int32_t, 6>{2, 6, 10, -1, -1, -1}));
    transfer.send_results({{"message", "results"}}, {of_part}, {});
    receive_frame(client_);
    std::array<unsigned char, 12> received{};
    client_.receive(received.data(), received.size());
    EXPECT_EQ(received, form);
  }
}

}  // namespace
}  // namespace tasuki::rpc
