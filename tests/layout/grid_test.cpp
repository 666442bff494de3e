#include <gtest/gtest.h>
#include <tasuki/detail/layout/grid.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace tasuki::layout {
namespace {

std::vector<int> balanced(int ranks, std::vector<int> extents) {
  const Grid grid = Grid::balanced(ranks, std::move(extents));
  return {grid.extents().begin(), grid.extents().end()};
}

/// The first in lexicographic order of all descending factors, by trying all.
std::vector<int> first_factors(int number, int most, int count) {
  if (count == 0) return {};
  for (int first = 1; first <= std::min(number, most); ++first) {
    if (number % first != 0) continue;
    if (count == 1 && first != number) continue;
    std::vector<int> rest = first_factors(number / first, first, count - 1);
    if (static_cast<int>(rest.size()) != count - 1) continue;
    rest.insert(rest.begin(), first);
    return rest;
  }
  return {};
}

TEST(Grid, NumbersRanksRowByRow) {
  const Grid grid({2, 3, 2});
  int rank = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 2; ++k, ++rank) {
        EXPECT_EQ(grid.rank_at(std::vector{i, j, k}), rank);
        EXPECT_EQ(grid.coordinate(rank, 0), i);
        EXPECT_EQ(grid.coordinate(rank, 1), j);
        EXPECT_EQ(grid.coordinate(rank, 2), k);
      }
  EXPECT_EQ(grid.ranks(), rank);
}

TEST(Grid, NumbersRanksColumnByColumn) {
  const Grid grid({2, 3}, Order::column_major);
  int rank = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 2; ++i, ++rank) {
      EXPECT_EQ(grid.rank_at(std::vector{i, j}), rank);
      EXPECT_EQ(grid.coordinate(rank, 0), i);
      EXPECT_EQ(grid.coordinate(rank, 1), j);
    }
}

TEST(Grid, IsBalancedAsTheStandardOfMpiShows) {
  EXPECT_EQ(balanced(6, {0, 0}), (std::vector{3, 2}));
  EXPECT_EQ(balanced(7, {0, 0}), (std::vector{7, 1}));
  EXPECT_EQ(balanced(6, {0, 3, 0}), (std::vector{2, 3, 1}));
  EXPECT_THROW(balanced(7, {0, 3, 0}), error);
}

TEST(Grid, IsBalancedAsTryingAllFactorsSays) {
  for (int ranks = 1; ranks <= 400; ++ranks)
    for (int dimensions = 1; dimensions <= 4; ++dimensions)
      EXPECT_EQ(balanced(ranks, std::vector<int>(static_cast<std::size_t>(dimensions))),
                first_factors(ranks, ranks, dimensions))
          << ranks;
}

TEST(Grid, IsBalancedForManyRanksAndDimensions) {
  EXPECT_EQ(balanced(1 << 30, std::vector<int>(10)), std::vector<int>(10, 8));
  EXPECT_EQ(balanced(std::numeric_limits<int>::max(), {0, 0}).front(),
            std::numeric_limits<int>::max());
  EXPECT_EQ(Grid::balanced(1'102'701'600, std::vector<int>(8)).ranks(), 1'102'701'600);
}

TEST(Grid, MayHaveNoDimension) {
  EXPECT_EQ(Grid({}).ranks(), 1);
  EXPECT_EQ(Grid::balanced(1, {}).ranks(), 1);
  EXPECT_THROW(Grid::balanced(2, {}), error);
}

TEST(Grid, RefusesWhatMakesNoSense) {
  EXPECT_THROW(Grid({2, 0}), error);
  EXPECT_THROW(Grid({1 << 16, 1 << 16}), error);
  EXPECT_THROW(Grid::balanced(0, {0}), error);
  EXPECT_THROW(Grid::balanced(6, {-1, 0}), error);
  EXPECT_THROW(Grid::balanced(6, {2, 2}), error);
}

}  // namespace
}  // namespace tasuki::layout
