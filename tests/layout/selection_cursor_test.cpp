#include <gtest/gtest.h>
#include <tasuki/detail/layout/run_cursor.hpp>
#include <tasuki/detail/layout/selection_cursor.hpp>

#include <vector>

#include "layout/random_layout.hpp"

namespace tasuki::layout {
namespace {

template <class Cursor>
std::vector<ByteRun> runs_of(Cursor cursor) {
  std::vector<ByteRun> runs;
  while (const auto run = cursor.next()) runs.push_back(*run);
  EXPECT_FALSE(cursor.next());
  return runs;
}

/// Element by element, merged where one ends and the next begins both in array and block.
std::vector<ByteRun> merged_elements(const ArrayLayout& layout, int rank, const ArrayView& view) {
  std::vector<ByteRun> runs;
  std::int64_t block_offset_bytes = -layout.element_bytes();
  for (const Index& index : indices_of(layout, rank)) {
    block_offset_bytes += layout.element_bytes();
    if (!is_selected(layout, index)) continue;
    const std::int64_t offset = offset_bytes(view, index);
    const bool is_next = !runs.empty() &&
                         runs.back().array_offset_bytes + runs.back().bytes == offset &&
                         runs.back().block_offset_bytes + runs.back().bytes == block_offset_bytes;
    if (is_next) {
      runs.back().bytes += layout.element_bytes();
    } else {
      runs.push_back({offset, block_offset_bytes, layout.element_bytes()});
    }
  }
  return runs;
}

TEST(SelectionCursor, GivesTheSelectedElementsOfABlockMergedAsLongAsPossible) {
  RandomLayouts random(12);
  for (int round = 0; round < 1000; ++round) {
    const ArrayLayout layout = random.selection(random.layout());
    const ArrayView views[] = {random.view(layout), contiguous_view(layout, Order::row_major),
                               contiguous_view(layout, Order::column_major)};
    for (const ArrayView& view : views) {
      for (int rank = 0; rank < layout.ranks(); ++rank) {
        const auto expected = merged_elements(layout, rank, view);
        ASSERT_EQ(runs_of(SelectionCursor(layout, rank, view)), expected) << "round " << round;
        if (layout.selects_all()) continue;
        ASSERT_EQ(runs_of(RunCursor(layout, rank, view)), expected) << "round " << round;
      }
    }
  }
}

TEST(SelectionCursor, RowsOfALongerLeadingDimensionAreOneRunEach) {
  const ArrayLayout all({Axis(100, Block{}, 4), Axis(60, Whole{}, 1)}, Grid({4, 1}), 8);
  const ArrayLayout layout = all.selecting({{0, 100, 1}, {0, 50, 1}});
  const auto runs = runs_of(RunCursor(layout, 1, contiguous_view(layout, Order::row_major)));
  ASSERT_EQ(runs.size(), 25U);
  EXPECT_EQ(runs[1], (ByteRun{26 * 60 * 8, 60 * 8, 50 * 8}));
}

TEST(SelectionCursor, WalksLargeExtentsLazily) {
  constexpr std::int64_t extent = std::int64_t{1} << 40;
  const ArrayLayout all({Axis(extent, Cyclic{}, 2)}, Grid({2}), 8);
  RunCursor cursor(all.selecting({{3, extent, 1}}), 1, {0, {8}});
  EXPECT_EQ(cursor.next(), (ByteRun{24, 8, 8}));
  EXPECT_EQ(cursor.next(), (ByteRun{40, 16, 8}));
}

}  // namespace
}  // namespace tasuki::layout
