#include "npb/sp/layout.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/usage_error.hpp"

namespace tasuki::npb::sp {
namespace {

constexpr std::int64_t edge = 14;  // Not a multiple of 3 or 4.

TEST(SpLayout, CellsCoverTheGridOnce) {
  for (const int ranks : {1, 4, 9, 16}) {
    std::vector<int> owners(static_cast<std::size_t>(edge * edge * edge), 0);
    for (int rank = 0; rank < ranks; ++rank) {
      const Layout layout(edge, rank, ranks);
      for (int cell = 0; cell < layout.cells(); ++cell) {
        const Box box = layout.box(cell);
        for (std::int64_t z = box[z_axis].begin; z < box[z_axis].end; ++z)
          for (std::int64_t y = box[y_axis].begin; y < box[y_axis].end; ++y)
            for (std::int64_t x = box[x_axis].begin; x < box[x_axis].end; ++x)
              ++owners[static_cast<std::size_t>((z * edge + y) * edge + x)];
      }
    }
    EXPECT_EQ(owners, std::vector<int>(owners.size(), 1)) << ranks;
  }
}

TEST(SpLayout, EachRankHasOneCellInEachLayer) {
  for (const int ranks : {1, 4, 9, 16}) {
    for (int rank = 0; rank < ranks; ++rank) {
      const Layout layout(edge, rank, ranks);
      for (const Axis axis : all_axes) {
        std::int64_t end = 0;
        for (int stage = 0; stage < layout.cells(); ++stage) {
          const apps::Range range = layout.box(layout.cell_at(axis, stage))[axis];
          EXPECT_EQ(range.begin, end);
          end = range.end;
        }
        EXPECT_EQ(end, edge);
      }
    }
  }
}

TEST(SpLayout, NeighboursHaveTheAdjoiningCells) {
  for (const int ranks : {4, 9, 16}) {
    for (int rank = 0; rank < ranks; ++rank) {
      const Layout mine(edge, rank, ranks);
      for (const Axis axis : all_axes) {
        const Layout above(edge, mine.neighbour(axis, upper), ranks);
        EXPECT_EQ(above.neighbour(axis, lower), rank);
        for (int stage = 0; stage + 1 < mine.cells(); ++stage) {
          const Box here = mine.box(mine.cell_at(axis, stage));
          const Box there = above.box(above.cell_at(axis, stage + 1));
          for (const Axis each : all_axes) {
            if (each == axis)
              EXPECT_EQ(there[each].begin, here[each].end);
            else
              EXPECT_EQ(there[each], here[each]);
          }
        }
      }
    }
  }
}

TEST(SpLayout, RefusesOtherNumbersOfRanks) {
  for (const int ranks : {2, 3, 8, 25}) {  // With 25 a cell would have two points.
    try {
      const Layout layout(edge, 0, ranks);
      ADD_FAILURE() << ranks << " ranks accepted";
    } catch (const apps::usage_error& failure) {
      EXPECT_EQ(failure.what(), "tasuki: npb sp: " + std::to_string(ranks) +
                                    " ranks cannot share its grid. Remedy: start a square number"
                                    " of ranks, as 1, 4 or 9.");
    }
  }
}

}  // namespace
}  // namespace tasuki::npb::sp
