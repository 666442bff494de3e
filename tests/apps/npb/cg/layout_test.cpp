#include "npb/cg/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tasuki::npb::cg {
namespace {

constexpr std::int64_t order = 1400;

TEST(Layout, GridIsAtLeastAsHighAsWide) {
  const struct {
    int ranks, rows, columns;
  } grids[] = {{1, 1, 1}, {2, 2, 1}, {4, 2, 2}, {6, 3, 2}, {7, 7, 1}, {8, 4, 2}, {32, 8, 4}};
  for (const auto& grid : grids) {
    const Layout layout(order, 0, grid.ranks);
    EXPECT_EQ(layout.grid_rows(), grid.rows) << grid.ranks;
    EXPECT_EQ(layout.grid_columns(), grid.columns) << grid.ranks;
    EXPECT_EQ(layout.ranks(), grid.ranks);
  }
}

TEST(Layout, SegmentsCoverTheVectorOnceAndStandInTheirBlocks) {
  for (int ranks = 1; ranks <= 33; ++ranks) {
    std::int64_t end = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const Layout layout(order, rank, ranks);
      const apps::Range segment = layout.segment();
      EXPECT_EQ(segment.begin, end);
      end = segment.end;
      EXPECT_EQ(layout.rows_of(rank).begin + layout.rows().begin, segment.begin);
      const std::vector<std::int32_t> numbers = layout.column_numbers();
      const apps::Range columns = layout.columns_of(rank);
      EXPECT_EQ(columns.size(), segment.size());
      for (std::int64_t k = 0; k < segment.size(); ++k)
        ASSERT_EQ(numbers[static_cast<std::size_t>(segment.begin + k)], columns.begin + k);
      EXPECT_EQ(std::count_if(numbers.begin(), numbers.end(), [](auto n) { return n >= 0; }),
                layout.columns());
    }
    EXPECT_EQ(end, order);
  }
}

TEST(Layout, EveryMatrixElementHasOneOwner) {
  for (const int ranks : {1, 2, 3, 4, 6, 8}) {
    std::vector<int> owners(static_cast<std::size_t>(order * order), 0);
    for (int rank = 0; rank < ranks; ++rank) {
      const Layout layout(order, rank, ranks);
      const std::vector<std::int32_t> numbers = layout.column_numbers();
      for (std::int64_t row = layout.rows().begin; row < layout.rows().end; ++row)
        for (std::int64_t column = 0; column < order; ++column)
          if (numbers[static_cast<std::size_t>(column)] >= 0)
            ++owners[static_cast<std::size_t>(row * order + column)];
    }
    EXPECT_EQ(std::count(owners.begin(), owners.end(), 1), order * order) << ranks;
  }
}

TEST(Layout, PeersAgreeOnWhereTheyWrite) {
  for (const int ranks : {1, 2, 4, 6, 9, 12, 32}) {
    for (int rank = 0; rank < ranks; ++rank) {
      const Layout mine(order, rank, ranks);
      for (const int peer : mine.column_peers()) {
        const Layout theirs(order, peer, ranks);
        EXPECT_EQ(mine.columns_of(rank), theirs.columns_of(rank));
        EXPECT_TRUE(std::ranges::count(theirs.column_peers(), rank) == 1);
      }
      for (const int peer : mine.row_peers()) {
        const Layout theirs(order, peer, ranks);
        const auto place = static_cast<std::size_t>(mine.place_among_row_peers(peer));
        ASSERT_LT(place, theirs.row_peers().size());
        EXPECT_EQ(theirs.row_peers()[place], rank);
        EXPECT_EQ(mine.rows_of(peer), theirs.rows_of(peer));
      }
    }
  }
}

}  // namespace
}  // namespace tasuki::npb::cg
