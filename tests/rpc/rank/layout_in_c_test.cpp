#include "rpc/rank/layout_in_c.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace tasuki::rpc {
namespace {

using layout::ArrayLayout;
using layout::Axis;
using layout::Grid;

ArrayLayout matrix() {
  return {{Axis(11, layout::BlockCyclic{2}, 2), Axis(7, layout::Cyclic{}, 3)}, Grid({2, 3}), 8};
}

TEST(LayoutInCTest, TheRanksTogetherHaveEachElementOnce) {
  const ArrayLayout array = matrix();
  std::set<std::array<std::int64_t, 2>> found;
  for (int rank = 0; rank < array.ranks(); ++rank) {
    const LayoutInC in_c(array, rank);
    const tasuki_array_layout& view = in_c.get();
    ASSERT_EQ(view.dimensions, 2);
    EXPECT_EQ(view.leading_dimension, std::max<std::int64_t>(1, view.local_extents[1]));
    EXPECT_EQ(view.coordinates[0] * view.grid[1] + view.coordinates[1], rank);
    for (std::int64_t i = 0; i < view.local_extents[0]; ++i) {
      for (std::int64_t j = 0; j < view.local_extents[1]; ++j) {
        const std::array<std::int64_t, 2> at = {in_c.global_index(0, i), in_c.global_index(1, j)};
        EXPECT_EQ(array.owner(at), rank);
        EXPECT_TRUE(found.insert(at).second);
      }
    }
  }
  EXPECT_EQ(found.size(), 11U * 7U);
}

TEST(LayoutInCTest, WhatIsNoIndexHasNone) {
  const LayoutInC in_c(matrix(), 0);
  EXPECT_EQ(in_c.global_index(-1, 0), -1);
  EXPECT_EQ(in_c.global_index(2, 0), -1);
  EXPECT_EQ(in_c.global_index(0, -1), -1);
  EXPECT_EQ(in_c.global_index(0, in_c.get().local_extents[0]), -1);
}

TEST(LayoutInCTest, ScalapackCountsRowsFirst) {
  const ArrayLayout array = matrix();
  const LayoutInC in_c(array, 4);
  const auto& descriptor = in_c.get().descriptor;
  // DTYPE_, CTXT_, M_, N_, MB_, NB_, RSRC_, CSRC_, LLD_
  const std::vector<int> expected = {1, 0, 7, 11, 1, 2, 0, 0, 2};
  EXPECT_EQ(std::vector<int>(descriptor, descriptor + 9), expected);
}

TEST(LayoutInCTest, ACopyOnEachRankHasAGridOfOne) {
  const ArrayLayout array({Axis(5, layout::Whole{}, 1)}, layout::Replicated{3}, 8);
  const LayoutInC in_c(array, 2);
  EXPECT_EQ(in_c.get().local_extents[0], 5);
  EXPECT_EQ(in_c.get().grid[0], 1);
  EXPECT_EQ(in_c.get().coordinates[0], 0);
  EXPECT_EQ(in_c.get().descriptor[0], 0);
}

}  // namespace
}  // namespace tasuki::rpc
