#include <gtest/gtest.h>
#include <tasuki/detail/layout/array_view.hpp>
#include <tasuki/error.hpp>

#include <limits>

#include "layout/random_layout.hpp"

namespace tasuki::layout {
namespace {

ArrayLayout layout_of(std::int64_t rows, std::int64_t columns) {
  return ArrayLayout({Axis(rows, Whole{}, 1), Axis(columns, Whole{}, 1)}, Replicated{1}, 8);
}

TEST(ArrayView, ContiguousStridesFollowTheOrder) {
  EXPECT_EQ(contiguous_view(layout_of(2, 3), Order::row_major), (ArrayView{0, {24, 8}}));
  EXPECT_EQ(contiguous_view(layout_of(2, 3), Order::column_major), (ArrayView{0, {8, 16}}));
}

TEST(ArrayView, TheMemoryHoldsAllElements) {
  RandomLayouts random(4);
  for (int round = 0; round < 200; ++round) {
    const ArrayLayout layout = random.layout();
    const ArrayView view = random.view(layout);
    const std::size_t bytes = memory_bytes(view, layout);
    EXPECT_NO_THROW(check(view, layout, bytes));
    if (layout.whole_bytes() == 0) continue;
    EXPECT_THROW(check(view, layout, bytes - 1), error);
    const ArrayView below{-1, view.stride_bytes};
    EXPECT_THROW(check(below, layout, bytes), error);
  }
}

TEST(ArrayView, RefusesOffsetsBeyond64Bits) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto all = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(check({0, {most, 8}}, layout_of(3, 1), all), error);
  EXPECT_THROW(check({0, {most / 2, most / 2}}, layout_of(3, 3), all), error);
  EXPECT_THROW(check({most, {8, 8}}, layout_of(1, 1), all), error);
  EXPECT_THROW(check({0, {-most, -most}}, layout_of(2, 2), all), error);
}

TEST(ArrayView, AnEmptyArrayNeedsNoMemory) {
  EXPECT_NO_THROW(check({0, {8, 8}}, layout_of(0, 5), 0));
}

TEST(ArrayView, RefusesAMissingStride) {
  EXPECT_THROW(check({0, {8}}, layout_of(2, 2), 1000), error);
}

}  // namespace
}  // namespace tasuki::layout
