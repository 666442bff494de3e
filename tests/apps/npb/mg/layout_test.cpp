#include "npb/mg/layout.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "common/usage_error.hpp"

namespace tasuki::npb::mg {
namespace {

constexpr int edge_bits = 5;

TEST(MgLayout, BoxesCoverTheGridOnce) {
  for (const int ranks : {1, 2, 4, 8, 16, 32, 64}) {
    const int coarsest = Layout(edge_bits, 0, ranks).coarsest_divided_level();
    for (int level = coarsest; level <= edge_bits; ++level) {
      const std::size_t edge = std::size_t{1} << level;
      std::vector<int> owners(edge * edge * edge, 0);
      for (int rank = 0; rank < ranks; ++rank) {
        const Box box = Layout(edge_bits, rank, ranks).box(level);
        for (std::int64_t z = box[z_axis].begin; z < box[z_axis].end; ++z)
          for (std::int64_t y = box[y_axis].begin; y < box[y_axis].end; ++y)
            for (std::int64_t x = box[x_axis].begin; x < box[x_axis].end; ++x)
              ++owners[(static_cast<std::size_t>(z) * edge + static_cast<std::size_t>(y)) * edge +
                       static_cast<std::size_t>(x)];
      }
      EXPECT_EQ(owners, std::vector<int>(owners.size(), 1)) << ranks << " ranks, level " << level;
    }
  }
}

TEST(MgLayout, NeighboursHaveTheAdjoiningPoints) {
  constexpr std::int64_t edge = 1 << edge_bits;
  for (const int ranks : {1, 2, 4, 8, 32}) {
    for (int rank = 0; rank < ranks; ++rank) {
      const Layout mine(edge_bits, rank, ranks);
      for (const Axis axis : {x_axis, y_axis, z_axis}) {
        const Layout above(edge_bits, mine.neighbour(axis, upper), ranks);
        EXPECT_EQ(above.neighbour(axis, lower), rank);
        Box expected = mine.box(edge_bits);
        const std::int64_t size = expected[axis].size();
        expected[axis].begin = expected[axis].end % edge;
        expected[axis].end = expected[axis].begin + size;
        EXPECT_EQ(above.box(edge_bits), expected);
      }
    }
  }
}

TEST(MgLayout, CoarseLevelsAreDividedAsFarAsAllRanksHaveAPoint) {
  for (const auto& [ranks, level] : {std::pair{1, 1}, {8, 1}, {16, 2}, {64, 2}, {128, 3}})
    EXPECT_EQ(Layout(edge_bits, 0, ranks).coarsest_divided_level(), level) << ranks;
}

TEST(MgLayout, RefusesOtherNumbersOfRanks) {
  for (const int ranks : {3, 6, 12, 1 << 13}) {
    try {
      const Layout layout(edge_bits, 0, ranks);
      ADD_FAILURE() << ranks << " ranks accepted";
    } catch (const apps::usage_error& failure) {
      EXPECT_EQ(failure.what(), "tasuki: npb mg: " + std::to_string(ranks) +
                                    " ranks cannot share its grid. Remedy: start a power of two of"
                                    " ranks, as 1, 2, 4 or 8.");
    }
  }
}

}  // namespace
}  // namespace tasuki::npb::mg
