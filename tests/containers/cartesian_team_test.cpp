#include <tasuki/containers/cartesian_team.hpp>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using CartesianTeamTest = RankTest;

TEST_F(CartesianTeamTest, ranks_are_numbered_row_by_row) {
  const CartesianTeam grid(world_team(), {0, 0});
  EXPECT_EQ(grid.dimensions(), 2);
  EXPECT_EQ(grid.extent(0) * grid.extent(1), size());
  EXPECT_GE(grid.extent(0), grid.extent(1));
  for (int rank = 0; rank < size(); ++rank) {
    const std::vector<int> at = grid.coordinates(rank);
    EXPECT_EQ(at[0] * grid.extent(1) + at[1], rank);
    EXPECT_EQ(grid.rank_at(at), rank);
  }
  EXPECT_EQ(grid.coordinates(), grid.coordinates(grid.rank()));
}

TEST_F(CartesianTeamTest, periodic_dimensions_wrap_around_and_others_end) {
  const CartesianTeam grid(world_team(), {0, 1}, {true, false});
  EXPECT_TRUE(grid.is_periodic(0));
  EXPECT_FALSE(grid.is_periodic(1));
  EXPECT_EQ(grid.neighbour({1, 0}), next_rank());
  EXPECT_EQ(grid.neighbour({-1, 0}), previous_rank());
  EXPECT_EQ(grid.neighbour({2 * size() - 1, 0}), previous_rank());
  EXPECT_EQ(grid.neighbour({INT_MIN, 0}),
            static_cast<int>(((rank() + std::int64_t{INT_MIN}) % size() + size()) % size()));
  EXPECT_EQ(grid.neighbour({1, 1}), std::nullopt);
  EXPECT_EQ(grid.neighbour({0, INT_MAX}), std::nullopt);
  EXPECT_EQ(grid.neighbour({0, INT_MIN}), std::nullopt);
  EXPECT_EQ(grid.rank_at({-1, 0}), size() - 1);
  EXPECT_EQ(grid.rank_at({0, -1}), std::nullopt);
}

TEST_F(CartesianTeamTest, rows_and_columns_are_teams) {
  const CartesianTeam grid(world_team(), {0, 0, 1}, {true, false, true});
  const CartesianTeam row = grid.along({1, 2});
  ASSERT_EQ(row.dimensions(), 2);
  EXPECT_EQ(row.extent(0), grid.extent(1));
  EXPECT_FALSE(row.is_periodic(0));
  EXPECT_TRUE(row.is_periodic(1));
  EXPECT_EQ(row.rank(), grid.coordinates()[1]);
  EXPECT_EQ(allreduce(1, Sum{}, row), grid.extent(1));
  const CartesianTeam column = grid.along({0});
  EXPECT_EQ(column.rank(), grid.coordinates()[0]);
  EXPECT_EQ(allreduce(grid.coordinates()[1], Max{}, column), grid.coordinates()[1]);
}

TEST_F(CartesianTeamTest, a_grid_of_a_part_of_the_ranks_counts_them) {
  const Team half = world_team().split(rank() % 2, -rank());
  const CartesianTeam grid(half, {0}, {true});
  EXPECT_EQ(grid.extent(0), half.size());
  EXPECT_EQ(grid.neighbour({1}), (half.rank() + 1) % half.size());
}

TEST_F(CartesianTeamTest, what_does_not_fit_is_an_error) {
  const auto text_of = [](std::vector<int> extents, std::vector<bool> periods = {}) {
    return error_of([&] { const CartesianTeam grid(world_team(), extents, periods); });
  };
  const std::string ranks = std::to_string(size());
  EXPECT_TRUE(contains(text_of({size() + 1, 0}), "a team of " + ranks + " ranks cannot fill"));
  EXPECT_TRUE(contains(text_of({size(), 2}), "Remedy: give 0 for an extent"));
  EXPECT_TRUE(contains(text_of({1 << 30, 1 << 30, 1 << 30}), "cannot fill"));
  EXPECT_TRUE(contains(text_of({-1, 0}), "holds the extent -1"));
  EXPECT_TRUE(contains(text_of({}), "no dimensions"));
  EXPECT_TRUE(contains(text_of({0, 0}, {true}), "1 periods are given for 2 dimensions"));
  EXPECT_TRUE(contains(error_of([] { const CartesianTeam grid(Team(), {0}); }), "team is empty"));

  const CartesianTeam grid(world_team(), {0, 0});
  EXPECT_TRUE(contains(error_of([&] { grid.coordinates(size()); }), "no rank " + ranks));
  EXPECT_TRUE(contains(error_of([&] { grid.neighbour({1}); }), "1 steps are given for 2"));
  EXPECT_TRUE(contains(error_of([&] { grid.rank_at({0}); }), "1 coordinates are given"));
  EXPECT_TRUE(contains(error_of([&] { grid.extent(2); }), "there is no dimension 2"));
  EXPECT_TRUE(contains(error_of([&] { grid.along({1, 1}); }), "in ascending order"));
  EXPECT_TRUE(contains(error_of([&] { grid.along({-1}); }), "there is no dimension -1"));
}

}  // namespace
}  // namespace tasuki::test
