#include "rpc/rank/call_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "rpc/rank/played_rank.hpp"
#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// f(IN int64 n, IN float64 a[n], OUT float64 b[n], INOUT float64 c[n], WORK float64 d[n],
/// IN string s, OUT string t): a and c are dealt in blocks, of b all ranks have all.
Routine routine() {
  const json n = json::array({"n"});
  Routine made{
      "f",
      "",
      {parameter("n", Mode::in, Number::int64), parameter("a", Mode::in, Number::float64, n),
       parameter("b", Mode::out, Number::float64, n),
       parameter("c", Mode::inout, Number::float64, n),
       parameter("d", Mode::work, Number::float64, n), text_parameter("s", Mode::in),
       text_parameter("t", Mode::out)}};
  for (const std::size_t divided : {1, 3}) {
    made.parameters[divided].divisions = {BlockDivision{}};
  }
  return made;
}

class CallMemoryTest : public PlayedRank {
 protected:
  void make(RankOf place, CallMemory::Kept kept = {}) {
    memory_.reset();
    memory_.emplace(routine_, json{{"n", 10}}, std::move(kept), place, blocks_,
                    json{{"s", {"hello"}}});
  }
  std::string refused(const json& scalars, RankOf place = {}) {
    return happened_in([&] { CallMemory(routine_, scalars, {}, place, blocks_, texts_); });
  }
  template <class Type>
  Type* argument(std::size_t index) {
    return static_cast<Type*>(memory_->arguments()[index]);
  }

  const Routine routine_ = routine();
  const json texts_ = {{"s", {"hello"}}};
  BlockMemory blocks_;
  std::optional<CallMemory> memory_;
};

TEST_F(CallMemoryTest, EachRankHasItsBlocksAndTheScalars) {
  make({.rank = 2, .ranks = 3});
  EXPECT_EQ(*argument<std::int64_t>(0), 10);
  EXPECT_STREQ(*argument<char*>(5), "hello");
  EXPECT_EQ(*argument<char*>(6), nullptr);
  const std::vector<ArrayBlock> results = memory_->results();
  ASSERT_EQ(results.size(), 1U);  // b comes from the first rank.
  EXPECT_EQ(results[0].parameter.name, "c");
  EXPECT_EQ(results[0].bytes.size(), 2 * 8U);
  EXPECT_EQ(memory_->received_bytes(), 2 * 2 * 8);
  make({.rank = 0, .ranks = 3});
  EXPECT_EQ(memory_->results().size(), 2U);
  EXPECT_EQ(memory_->received_bytes(), 2 * 4 * 8);
}

TEST_F(CallMemoryTest, TheLayoutOfAnArrayIsFoundByItsBlock) {
  make({.rank = 1, .ranks = 2});
  ASSERT_NE(memory_->find(argument<void>(1)), nullptr);
  EXPECT_EQ(memory_->find(argument<void>(1))->get().local_extents[0], 5);
  EXPECT_EQ(memory_->find(argument<void>(0)), nullptr);
  EXPECT_EQ(memory_->find(this), nullptr);
}

TEST_F(CallMemoryTest, WhatTheClientSendsIsReceivedInOrder) {
  make({});
  std::array<double, 20> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  client_.send(numbers.data(), sizeof numbers);
  BlockSender sender(rank_end_);
  const std::optional<PeerMemory> nothing;
  CopyCodes copies("secret");
  const ClientLink link{rank_end_, sender, nothing, reporter_, copies};
  ArrayTransfer transfer(link, json::object());
  memory_->receive(transfer);
  EXPECT_EQ(argument<double>(1)[9], 9);
  EXPECT_EQ(argument<double>(3)[0], 10);
}

TEST_F(CallMemoryTest, AKeptArrayIsUsedAndNeitherReceivedNorReturned) {
  make({}, {{"c", "kept c"}});
  EXPECT_EQ(memory_->received_bytes(), 10 * 8);
  EXPECT_EQ(memory_->results().size(), 1U);
  EXPECT_THROW(memory_->use(kept_.arrays), LostArray);
  const ArrayLayout layout({Axis(10, layout::Block{}, 1)}, Grid({1}), 8);
  KeepLimit limit(1000);
  KeptArrays arrays(limit);
  arrays.keep("kept c", Number::float64, layout, blocks_.take(80));
  memory_->use(arrays);
  EXPECT_EQ(argument<void>(3), arrays.find("kept c", Number::float64, layout));
}

TEST_F(CallMemoryTest, AKeptArrayThatIsWrittenIsOfOneArgument) {
  const ArrayLayout blocks({Axis(10, layout::Block{}, 1)}, Grid({1}), 8);
  KeepLimit limit(1000);
  KeptArrays arrays(limit);
  arrays.keep("kept", Number::float64, blocks, blocks_.take(80));
  make({}, {{"a", "kept"}, {"c", "kept"}});
  EXPECT_EQ(happened_in([&] { memory_->use(arrays); }),
            "one array on the ranks is given for a and for c, and the routine writes it");
  const Routine reads{"g",
                      "",
                      {parameter("a", Mode::in, Number::float64, {10}),
                       parameter("b", Mode::in, Number::float64, {10})}};
  CallMemory memory(reads, json::object(), {{"a", "all"}, {"b", "all"}}, {}, blocks_);
  arrays.keep("all", Number::float64,
              ArrayLayout({Axis(10, layout::Whole{}, 1)}, layout::Replicated{1}, 8),
              blocks_.take(80));
  memory.use(arrays);
  EXPECT_EQ(memory.arguments()[0], memory.arguments()[1]);
}

TEST_F(CallMemoryTest, MemoryServesTheNextCall) {
  make({});
  const void* const first = argument<void>(4);
  std::memset(argument<void>(4), 1, 80);
  make({});
  std::vector<const void*> all;
  for (const std::size_t array : {1, 2, 3, 4}) all.push_back(argument<void>(array));
  EXPECT_NE(std::ranges::find(all, first), all.end());
}

TEST_F(CallMemoryTest, OfAnArrayWithARangeTheOtherElementsAreZeros) {
  Routine part{"f", "", {parameter("a", Mode::in, Number::float64, {10})}};
  std::vector<BlockMemory::Piece> used;
  used.push_back(blocks_.take(80));
  std::memset(used[0].memory.get(), 1, 80);
  blocks_.keep(std::move(used));  // The next call gets that.
  part.parameters[0].ranges[0] =
      Range{Expression::from_json(3), Expression::from_json(5), Expression::from_json(1)};
  CallMemory memory(part, json::object(), {}, {}, blocks_);
  const auto* const numbers = static_cast<const double*>(memory.arguments()[0]);
  EXPECT_TRUE(std::all_of(numbers, numbers + 10, [](double one) { return one == 0; }));
}

TEST_F(CallMemoryTest, WhatCannotBeIsRefusedBeforeAnythingIsAllocated) {
  EXPECT_EQ(refused({{"n", 10}}), "");
  EXPECT_NE(refused({{"n", -1}}), "");
  EXPECT_NE(refused(json::object()), "");
  EXPECT_NE(refused({{"n", 10}, {"m", 1}}), "");
  EXPECT_NE(refused({{"n", 10}}, {.call_most_bytes = 319}), "");
  EXPECT_EQ(refused({{"n", 10}}, {.call_most_bytes = 320}), "");
  EXPECT_NE(happened_in([&] { CallMemory(routine_, {{"n", 10}}, {}, {}, blocks_); }), "");
  EXPECT_EQ(refused({{"n", std::int64_t{1} << 56}}),
            "rank 0 has no memory for 576460752303423488 bytes of a");
}

}  // namespace
}  // namespace tasuki::rpc
