#include <gtest/gtest.h>
#include <tasuki/detail/layout/run_cursor.hpp>
#include <tasuki/error.hpp>

#include <vector>

#include "layout/random_layout.hpp"

namespace tasuki::layout {
namespace {

std::vector<ByteRun> runs_of(const ArrayLayout& layout, int rank, const ArrayView& view) {
  std::vector<ByteRun> runs;
  RunCursor cursor(layout, rank, view);
  while (const auto run = cursor.next()) runs.push_back(*run);
  EXPECT_FALSE(cursor.next());
  return runs;
}

/// Element by element, merged where one ends and the next begins.
std::vector<ByteRun> merged_elements(const ArrayLayout& layout, int rank, const ArrayView& view) {
  std::vector<ByteRun> runs;
  std::int64_t block_offset_bytes = 0;
  for (const Index& index : indices_of(layout, rank)) {
    const std::int64_t offset = offset_bytes(view, index);
    if (!runs.empty() && runs.back().array_offset_bytes + runs.back().bytes == offset) {
      runs.back().bytes += layout.element_bytes();
    } else {
      runs.push_back({offset, block_offset_bytes, layout.element_bytes()});
    }
    block_offset_bytes += layout.element_bytes();
  }
  return runs;
}

TEST(RunCursor, GivesTheElementsOfABlockMergedAsLongAsPossible) {
  RandomLayouts random(5);
  for (int round = 0; round < 1000; ++round) {
    const ArrayLayout layout = random.layout();
    const ArrayView views[] = {random.view(layout), contiguous_view(layout, Order::row_major),
                               contiguous_view(layout, Order::column_major)};
    for (const ArrayView& view : views)
      for (int rank = 0; rank < layout.ranks(); ++rank)
        ASSERT_EQ(runs_of(layout, rank, view), merged_elements(layout, rank, view))
            << "round " << round << ", rank " << rank;
  }
}

TEST(RunCursor, ABlockOfRowsIsOneRun) {
  const ArrayLayout layout({Axis(100, Block{}, 4), Axis(50, Whole{}, 1)}, Grid({4, 1}), 8);
  const auto runs = runs_of(layout, 2, contiguous_view(layout, Order::row_major));
  EXPECT_EQ(runs, (std::vector<ByteRun>{{50 * 50 * 8, 0, 25 * 50 * 8}}));
}

TEST(RunCursor, RunsOfACyclicAxisMeetAtTheEndOfARow) {
  const ArrayLayout layout({Axis(2, Whole{}, 1), Axis(3, Cyclic{}, 2)}, Grid({1, 2}), 8);
  const auto runs = runs_of(layout, 0, contiguous_view(layout, Order::row_major));
  EXPECT_EQ(runs, (std::vector<ByteRun>{{0, 0, 8}, {16, 8, 16}, {40, 24, 8}}));
}

TEST(RunCursor, TheLastRunIsShorterAlsoBeforeAnAxisOfOneIndex) {
  const ArrayLayout layout({Axis(1, Whole{}, 1), Axis(5, BlockCyclic{2}, 2)}, Grid({1, 2}), 8);
  const auto runs = runs_of(layout, 0, contiguous_view(layout, Order::row_major));
  EXPECT_EQ(runs, (std::vector<ByteRun>{{0, 0, 16}, {32, 16, 8}}));
}

TEST(RunCursor, ARankThatHoldsNothingHasNoRuns) {
  const ArrayLayout layout({Axis(3, Whole{}, 1)}, OnFirstRank{2}, 8);
  EXPECT_EQ(runs_of(layout, 0, {0, {8}}).size(), 1U);
  EXPECT_TRUE(runs_of(layout, 1, {0, {8}}).empty());
}

TEST(RunCursor, WalksLargeExtentsLazily) {
  constexpr std::int64_t extent = std::int64_t{1} << 40;
  const ArrayLayout layout({Axis(extent, Cyclic{}, 2)}, Grid({2}), 8);
  RunCursor cursor(layout, 1, {0, {8}});
  EXPECT_EQ(cursor.next(), (ByteRun{8, 0, 8}));
  EXPECT_EQ(cursor.next(), (ByteRun{24, 8, 8}));
}

TEST(RunCursor, RefusesWhatDoesNotFit) {
  const ArrayLayout layout({Axis(3, Whole{}, 1)}, Replicated{2}, 8);
  EXPECT_THROW(RunCursor(layout, 2, {0, {8}}), error);
  EXPECT_THROW(RunCursor(layout, 0, {0, {8, 8}}), error);
}

}  // namespace
}  // namespace tasuki::layout
