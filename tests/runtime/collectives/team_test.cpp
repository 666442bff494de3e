#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using TeamTest = RankTest;

TEST_F(TeamTest, the_world_team_has_all_ranks_in_order) {
  const Team& world = world_team();
  EXPECT_FALSE(world.is_empty());
  EXPECT_EQ(world.rank(), rank());
  EXPECT_EQ(world.size(), size());
  for (int i = 0; i < size(); ++i) EXPECT_EQ(world.world_rank(i), i);
}

TEST_F(TeamTest, split_by_color_orders_by_key_then_rank) {
  const Team half = world_team().split(rank() % 2, -rank());
  EXPECT_EQ(half.size(), (size() + 1 - rank() % 2) / 2);
  EXPECT_EQ(half.world_rank(half.rank()), rank());
  for (int i = 1; i < half.size(); ++i) EXPECT_EQ(half.world_rank(i), half.world_rank(i - 1) - 2);
  const Team same_key = world_team().split(0);
  EXPECT_EQ(same_key.rank(), rank());
}

TEST_F(TeamTest, a_negative_color_joins_none) {
  const Team even = world_team().split(rank() % 2 == 0 ? 3 : -1);
  EXPECT_EQ(even.is_empty(), rank() % 2 != 0);
  if (even.is_empty()) {
    EXPECT_TRUE(contains(error_of([&] { static_cast<void>(even.size()); }), "the team is empty"));
    EXPECT_TRUE(contains(error_of([&] { barrier(even); }), "ask is_empty() first"));
  } else {
    EXPECT_EQ(allreduce(1, Sum{}, even), even.size());
  }
}

TEST_F(TeamTest, collectives_of_different_teams_do_not_mix) {
  const Team row = world_team().split(rank() / 2);
  const Team column = world_team().split(rank() % 2);
  for (int round = 0; round < 20; ++round) {
    // The two teams' collectives run in either order on different ranks.
    int row_sum = 0;
    int column_sum = 0;
    const int mine = rank() + round;
    const auto start_row = [&] {
      return allreduce_async(std::span<const int>(&mine, 1), std::span<int>(&row_sum, 1), Sum{},
                             row);
    };
    const auto start_column = [&] {
      return allreduce_async(std::span<const int>(&mine, 1), std::span<int>(&column_sum, 1), Sum{},
                             column);
    };
    const bool row_first = (rank() + round) % 2 == 0;
    auto first = row_first ? start_row() : start_column();
    auto second = row_first ? start_column() : start_row();
    first.get();
    second.get();
    int expected_row = 0;
    for (const int member : row.world_ranks()) expected_row += member + round;
    int expected_column = 0;
    for (const int member : column.world_ranks()) expected_column += member + round;
    EXPECT_EQ(row_sum, expected_row);
    EXPECT_EQ(column_sum, expected_column);
  }
}

TEST_F(TeamTest, splits_of_splits) {
  Team team = world_team();
  int expected_size = size();
  while (expected_size > 1) {
    const int upper = team.rank() >= expected_size / 2 ? 1 : 0;
    team = team.split(upper);
    expected_size = upper == 1 ? expected_size - expected_size / 2 : expected_size / 2;
    ASSERT_EQ(team.size(), expected_size);
    EXPECT_EQ(allreduce(1, Sum{}, team), expected_size);
  }
}

TEST_F(TeamTest, the_same_list_and_name_give_the_same_team_again) {
  barrier();
  if (rank() > 1 || size() < 2) return;
  // The first rank is ahead, so that what it sends waits.
  if (rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  for (int i = 0; i < 100 * rank(); ++i) yield();
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(broadcast(rank() == 0 ? i : -1, 0, team_of({0, 1}, 9)), i);
  }
}

TEST_F(TeamTest, team_of_a_list_needs_no_word_with_the_others) {
  std::vector<int> backwards(static_cast<std::size_t>(size()));
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  const Team reversed = team_of(backwards, 1);
  EXPECT_EQ(reversed.rank(), size() - 1 - rank());
  EXPECT_EQ(broadcast(rank(), 0, reversed), size() - 1);
  if (rank() < 2 && size() >= 2) {
    const Team pair = team_of({0, 1}, 7);
    EXPECT_EQ(allreduce(rank() + 1, Sum{}, pair), 3);
  }
  if (rank() != 0) {
    EXPECT_TRUE(contains(error_of([] { team_of({0}, 2); }), "not in the list"));
  }
}

TEST_F(TeamTest, the_local_team_has_the_ranks_that_share_memory) {
  const Team& neighbours = local_team();
  EXPECT_EQ(neighbours.world_rank(neighbours.rank()), rank());
  EXPECT_EQ(allreduce(1, Sum{}, neighbours), neighbours.size());
  barrier();
  for (int place = 0; place < neighbours.size(); ++place) {
    const auto ranks = invoke(neighbours, place, [] {
      const auto all = local_team().world_ranks();
      return std::vector<int>(all.begin(), all.end());
    });
    EXPECT_TRUE(std::equal(ranks.begin(), ranks.end(), neighbours.world_ranks().begin(),
                           neighbours.world_ranks().end()));
    EXPECT_EQ(invoke(neighbours, place, [] { return rank(); }), neighbours.world_rank(place));
  }
  EXPECT_EQ(&local_team(), &neighbours);
  barrier();
}

TEST_F(TeamTest, calls_go_to_places_of_a_team) {
  const Team team = world_team().split(rank() % 2, -rank());
  const int last = team.size() - 1;
  const auto its_rank = [](int more) { return rank() + more; };
  EXPECT_EQ(invoke(team, last, its_rank, 100), rank() % 2 + 100);
  EXPECT_EQ(ainvoke(team, last, its_rank, 200).get(), rank() % 2 + 200);
  int calls_count = 0;
  const auto counts = allgather(as_address(&calls_count), team);
  post(
      team, last, [](Address<int> count) { ++*count.pointer; },
      counts[static_cast<std::size_t>(last)]);
  quiesce();
  EXPECT_EQ(calls_count, team.rank() == last ? team.size() : 0);
  EXPECT_TRUE(contains(error_of([&] { post(team, last + 1, [] {}); }), "no such rank in the team"));
  EXPECT_TRUE(contains(error_of([&] { post(Team(), 0, [] {}); }), "the team is empty"));
}

TEST_F(TeamTest, wrong_lists_and_ranks_are_errors) {
  EXPECT_TRUE(contains(error_of([] { static_cast<void>(world_team().world_rank(size())); }),
                       "no such rank in the team"));
  EXPECT_TRUE(contains(error_of([] { static_cast<void>(world_team().world_rank(-1)); }),
                       "no such rank in the team"));
  EXPECT_TRUE(contains(error_of([] { team_of({rank(), size() + 3}, 4); }), "does not exist"));
  EXPECT_TRUE(contains(error_of([] { team_of({rank(), rank()}, 4); }), "twice"));
}

}  // namespace
}  // namespace tasuki::test
