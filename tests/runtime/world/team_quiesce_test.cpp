// quiesce(team): what it waits for, and what it does not.
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using TeamQuiesceTest = RankTest;

/// All but the last rank, or all of one.
Team most_ranks() {
  const bool is_outside = size() > 1 && rank() == size() - 1;
  return world_team().split(is_outside ? -1 : 0);
}

/// What the ranks of a team count, each for itself.
struct Counters {
  explicit Counters(Team its_team) : team(std::move(its_team)) {}
  int next() const { return (team.rank() + 1) % team.size(); }
  int sum() const { return allreduce(count, Sum{}, team); }

  Team team;
  int count = 0;
};
using SharedCounters = DistObject<Counters>;

/// A call that makes two more, until `depth` is used up, some of them late.
void spread(SharedCounters& counters, int depth) {
  ++counters->count;
  if (depth == 0) return;
  if (depth % 3 == 0) yield();
  post(counters->team, counters->next(), spread, counters, depth - 1);
  post(counters->team, 0, spread, counters, depth - 1);
}

TEST_F(TeamQuiesceTest, calls_made_by_calls_are_waited_for) {
  SharedCounters counters(world_team().split(rank() % 2));
  for (int round = 1; round <= 10; ++round) {
    if (counters->team.rank() == 0) {
      post(counters->team, counters->next(), spread, counters, 7);
    }
    quiesce(counters->team);
    EXPECT_EQ(counters->sum(), 255 * round);
  }
  barrier();
}

TEST_F(TeamQuiesceTest, all_ranks_are_a_team_too) {
  SharedCounters counters(world_team());
  for (int i = 0; i < size(); ++i) post(i, spread, counters, 3);
  quiesce(world_team());
  EXPECT_EQ(counters->sum(), 15 * size() * size());
  SharedCounters reversed(world_team().split(0, -rank()));
  for (int i = 0; i < size(); ++i) post(i, spread, reversed, 3);
  quiesce(reversed->team);
  EXPECT_EQ(reversed->sum(), 15 * size() * size());
  barrier();
}

TEST_F(TeamQuiesceTest, other_ranks_may_call_into_the_team_all_the_time) {
  const Team team = most_ranks();
  SharedCounters counters(team);
  DistObject<bool> is_over(false);
  if (team.is_empty()) {
    // It ends only when the team has been quiet three times meanwhile.
    while (!*is_over) {
      for (int i = 0; i < size() - 1; ++i) {
        post(i, [] {});
        post(i, [] { invoke(size() - 1, [] {}); });
      }
      invoke(0, [] {});
    }
  } else {
    for (int round = 1; round <= 3; ++round) {
      if (team.rank() == 0) post(team, counters->next(), spread, counters, 6);
      quiesce(team);
      EXPECT_EQ(counters->sum(), 127 * round);
    }
    const auto end = [](DistObject<bool>& over) { *over = true; };
    if (team.rank() == 0 && size() > 1) post(size() - 1, end, is_over);
  }
  barrier();
}

// Each of these calls ends only after quiesce(team) has returned.
TEST_F(TeamQuiesceTest, calls_from_and_to_other_ranks_are_not_waited_for) {
  const Team team = most_ranks();
  DistObject<Sync<int>> go_on;
  const auto wait_for_it = [](DistObject<Sync<int>>& here) { here->read(); };
  if (team.is_empty()) {
    for (int i = 0; i < size() - 1; ++i) post(i, wait_for_it, go_on);
  } else if (size() > 1) {
    post(size() - 1, wait_for_it, go_on);
  }
  barrier();
  if (!team.is_empty() && size() > 1) {
    quiesce(team);
    go_on->write(1);
    if (team.rank() == 0) {
      for (int i = 0; i < size() - 1; ++i) {
        post(
            size() - 1, [](DistObject<Sync<int>>& here) { here->write(1); }, go_on);
      }
    }
  }
  quiesce();
}

// The members sleep until the call that waits has ended, which only another rank brings about.
TEST_F(TeamQuiesceTest, a_call_that_waits_for_another_rank_is_waited_for) {
  const Team team = most_ranks();
  SharedCounters counters(team);
  DistObject<Sync<int>> go_on;
  if (!team.is_empty()) {
    post(
        team, counters->next(),
        [](DistObject<Sync<int>>& here, SharedCounters& there) {
          here->read();
          post(there->team, there->next(), spread, there, 3);
        },
        go_on, counters);
  }
  barrier();
  if (rank() == size() - 1) {
    for (int i = 0; i < 200; ++i) yield();
    const int members = size() == 1 ? 1 : size() - 1;
    for (int i = 0; i < members; ++i) {
      post(
          i, [](DistObject<Sync<int>>& here) { here->write(1); }, go_on);
    }
    flush();
  }
  if (!team.is_empty()) {
    quiesce(team);
    EXPECT_EQ(counters->sum(), 15 * team.size());
  }
  barrier();
}

TEST_F(TeamQuiesceTest, teams_within_teams_and_beside_each_other) {
  const Team half = world_team().split(rank() < (size() + 1) / 2 ? 0 : 1);
  SharedCounters inner(half.split(half.rank() % 2));
  SharedCounters outer(half);
  SharedCounters ring(world_team().split(rank() % 2));
  for (int round = 1; round <= 5; ++round) {
    post(inner->team, inner->next(), spread, inner, 4);
    post(outer->team, outer->next(), spread, outer, 4);
    post(ring->team, ring->next(), spread, ring, 4);
    quiesce(inner->team);
    EXPECT_EQ(inner->sum(), 31 * round * inner->team.size());
    quiesce(ring->team);
    EXPECT_EQ(ring->sum(), 31 * round * ring->team.size());
    quiesce(outer->team);
    EXPECT_EQ(outer->sum(), 31 * round * outer->team.size());
  }
  barrier();
}

// Ranks 0 to the middle and the middle to the last have one rank in common.
TEST_F(TeamQuiesceTest, teams_may_overlap) {
  const int middle = size() / 2;
  std::vector<int> low;
  std::vector<int> high;
  for (int i = 0; i <= middle; ++i) low.push_back(i);
  for (int i = middle; i < size(); ++i) high.push_back(i);
  SharedCounters in_low(rank() <= middle ? team_of(low, 5001) : Team());
  SharedCounters in_high(rank() >= middle ? team_of(high, 5002) : Team());
  for (int round = 1; round <= 5; ++round) {
    for (SharedCounters* counters : {&in_low, &in_high}) {
      const Team& team = (*counters)->team;
      if (team.is_empty()) continue;
      post(team, (*counters)->next(), spread, *counters, 5);
      quiesce(team);
      EXPECT_EQ((*counters)->sum(), 63 * round * team.size());
    }
  }
  barrier();
}

TEST_F(TeamQuiesceTest, continuations_and_spawned_functions_are_waited_for) {
  SharedCounters counters(world_team().split(rank() % 2));
  const Team& team = counters->team;
  std::vector<Future<void>> all;
  for (int i = 0; i < 20; ++i) {
    all.push_back(ainvoke(team, counters->next(), [] { yield(); }).then([&] {
      yield();
      post(team, counters->next(), spread, counters, 2);
    }));
    all.push_back(spawn([&] {
      for (int turn = 0; turn < 5; ++turn) yield();
      post(team, 0, spread, counters, 2);
    }));
  }
  quiesce(team);
  EXPECT_EQ(counters->sum(), 40 * 7 * team.size());
  for (auto& each : all) EXPECT_TRUE(each.ready());
  barrier();
}

struct Unserialisable {
  std::string text;

  template <class Archive>
  void serialize(Archive&) {
    throw std::runtime_error("it cannot be sent");
  }
};

TEST_F(TeamQuiesceTest, calls_that_fail_are_done_too) {
  const Team team = world_team().split(rank() % 2);
  const int next = (team.rank() + 1) % team.size();
  const auto take = [](const Unserialisable&) {};
  EXPECT_THROW(post(team, next, take, Unserialisable()), std::runtime_error);
  EXPECT_THROW(static_cast<void>(ainvoke(team, next, take, Unserialisable())), std::runtime_error);
  auto failing = ainvoke(team, next, [] { throw std::out_of_range("no such thing"); });
  quiesce(team);
  EXPECT_TRUE(failing.ready());
  EXPECT_THROW(failing.get(), std::out_of_range);
  barrier();
}

TEST_F(TeamQuiesceTest, writes_are_visible_afterwards) {
  const Team team = world_team().split(rank() % 2);
  std::vector<int> own(20'000, -1);
  std::uint64_t sum = 0;
  const auto all = allgather(global_ptr(own.data()), team);
  const auto sums = allgather(global_ptr(&sum), team);
  const auto next = static_cast<std::size_t>((team.rank() + 1) % team.size());
  const std::vector<int> data(own.size(), team.rank());
  all[next].nwrite(data.data(), data.size());
  for (int i = 0; i < 100; ++i) sums[next].add(1);
  quiesce(team);
  EXPECT_EQ(own, std::vector<int>(own.size(), (team.rank() + team.size() - 1) % team.size()));
  EXPECT_EQ(sum, 100U);
  barrier();
}

TEST_F(TeamQuiesceTest, an_empty_team_is_refused) {
  EXPECT_TRUE(contains(error_of([] { quiesce(Team()); }), "the team is empty"));
}

}  // namespace
}  // namespace tasuki::test
