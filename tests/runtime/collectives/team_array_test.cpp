#include <cstdint>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using TeamArrayTest = RankTest;

TEST_F(TeamArrayTest, each_rank_of_a_team_knows_the_arrays_of_all) {
  const Team halves = world_team().split(rank() % 2);
  const auto count = static_cast<std::size_t>(rank()) + 1;
  const auto arrays = new_array<int>(count, halves);
  ASSERT_EQ(arrays.size(), static_cast<std::size_t>(halves.size()));
  for (int member = 0; member < halves.size(); ++member) {
    EXPECT_EQ(arrays[static_cast<std::size_t>(member)].rank(), halves.world_rank(member));
  }
  const int next = (halves.rank() + 1) % halves.size();
  const auto theirs = arrays[static_cast<std::size_t>(next)];
  EXPECT_EQ(theirs.read(), 0);
  barrier(halves);
  (theirs + halves.world_rank(next)).write(rank());  // its last element
  barrier(halves);
  const auto own = arrays[static_cast<std::size_t>(halves.rank())];
  EXPECT_EQ(own.raw()[rank()],
            halves.world_rank((halves.rank() + halves.size() - 1) % halves.size()));
  barrier(halves);
  delete_(own);
}

TEST_F(TeamArrayTest, all_ranks_hear_of_one_without_room) {
  const int poor = size() - 1;
  const std::size_t count = rank() == poor ? SIZE_MAX : 10;
  const std::string text = error_of([&] { new_array<double>(count, world_team()); });
  if (rank() == poor) {
    EXPECT_TRUE(contains(text, "allocating in the shared heap")) << text;
  } else {
    EXPECT_TRUE(contains(text, "rank " + std::to_string(poor) + " could not make its own")) << text;
  }
  // The next one is not disturbed.
  const auto arrays = new_array<double>(10, world_team());
  EXPECT_EQ(arrays[static_cast<std::size_t>(poor)].read(), 0.0);
  barrier();
  delete_(arrays[static_cast<std::size_t>(rank())]);
}

TEST_F(TeamArrayTest, a_team_of_no_ranks_makes_none) {
  EXPECT_TRUE(contains(error_of([] { new_array<int>(1, Team()); }), "team"));
}

}  // namespace
}  // namespace tasuki::test
