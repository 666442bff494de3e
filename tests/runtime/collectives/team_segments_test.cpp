// Teams made by split whose ranks share memory: collectives without messages, and what they leave.
#include <algorithm>
#include <cstdint>
#include <string>
#include <tasuki/policy.hpp>
#include <vector>

#include "node/segment/slots.hpp"
#include "runtime/collectives/rank_collectives.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using TeamSegmentsTest = RankTest;

runtime::RankCollectives& collectives() { return *runtime::Rank::current().collectives; }

bool has_segment(const Team& team) { return team.state().node_segment != nullptr; }

/// Do the ranks of the team share memory?
bool shares_memory(const Team& team) {
  const transport::Transport& transport = runtime::Rank::current().transport;
  const auto is_here = [&](int rank) { return transport.memory().shares(rank); };
  return team.size() > 1 &&
         std::all_of(team.world_ranks().begin(), team.world_ranks().end(), is_here);
}

std::uint64_t messages_sent() { return runtime::Rank::current().transport.counters().sends; }

double element(int world_rank, std::size_t index) {
  return world_rank * 1000.0 + static_cast<double>(index);
}

/// All collectives of doubles, against what they are defined to give.
void check_collectives(const Team& team, std::size_t count) {
  const auto p = static_cast<std::size_t>(team.size());
  const auto me = static_cast<std::size_t>(team.rank());
  const int root = team.size() - 1;
  const auto of = [&](std::size_t member, std::size_t i) {
    return element(team.world_rank(static_cast<int>(member)), i);
  };
  const auto sum_up_to = [&](std::size_t members_count, std::size_t i) {
    double sum = 0;
    for (std::size_t member = 0; member < members_count; ++member) sum += of(member, i);
    return sum;
  };
  std::vector<double> blocks(count * p);
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = of(me, i);
  const std::span<const double> all(blocks);
  const auto mine = all.first(count);
  std::vector<double> one(count), each(count * p), zero(count);

  barrier(team);
  allreduce(mine, std::span(one), Sum{}, team);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(one[i], sum_up_to(p, i));
  reduce(mine, std::span(one), Sum{}, root, team);
  if (team.rank() == root) {
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(one[i], sum_up_to(p, i));
  }
  scan(mine, std::span(one), Sum{}, team);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(one[i], sum_up_to(me + 1, i));
  reduce_scatter(all, std::span(one), Sum{}, team);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(one[i], sum_up_to(p, me * count + i));
  one.assign(mine.begin(), mine.end());
  broadcast(std::span(one), root, team);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(one[i], of(p - 1, i));
  allgather(mine, std::span(each), team);
  for (std::size_t i = 0; i < each.size(); ++i) ASSERT_EQ(each[i], of(i / count, i % count));
  alltoall(all, std::span(each), team);
  for (std::size_t i = 0; i < each.size(); ++i) {
    ASSERT_EQ(each[i], of(i / count, me * count + i % count));
  }
  ASSERT_EQ(allreduce(team.rank() + 1, Max{}, team), team.size());
}

TEST_F(TeamSegmentsTest, ranks_that_share_memory_have_one) {
  EXPECT_EQ(has_segment(world_team().split(0, -rank())), shares_memory(world_team()));
  EXPECT_FALSE(has_segment(world_team().split(rank())));
  const Team half = world_team().split(rank() % 2);
  EXPECT_EQ(has_segment(half), shares_memory(half));
  EXPECT_FALSE(has_segment(team_of({rank()}, 5)));
}

TEST_F(TeamSegmentsTest, collectives_give_what_they_should) {
  const Team reversed = world_team().split(0, -rank());
  const Team half = world_team().split(rank() % 2);
  const Team quarter = half.split(half.rank() / 2);
  for (const std::size_t count : {1UL, 7UL, 300UL, 20'000UL}) {
    for (const Team& team : {reversed, half, quarter}) {
      check_collectives(team, count);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(TeamSegmentsTest, blocking_collectives_send_no_messages) {
  const Team team = world_team().split(0, -rank());
  if (!has_segment(team)) GTEST_SKIP() << "the ranks do not share memory";
#ifdef TASUKI_DEBUG
  GTEST_SKIP() << "in debug builds descriptions of collectives are sent";
#endif
  barrier();
  const std::uint64_t before = messages_sent();
  check_collectives(team, 100);
  EXPECT_EQ(messages_sent(), before);
  barrier();
}

TEST_F(TeamSegmentsTest, futures_go_beside_them) {
  const Team team = world_team().split(0, -rank());
  const std::vector<double> input(1000, rank() + 1.0);
  std::vector<double> later(1000), now(1000);
  for (int round = 0; round < 5; ++round) {
    auto underway = allreduce_async(std::span<const double>(input), std::span(later), Sum{}, team);
    allreduce(std::span<const double>(input), std::span(now), Sum{}, team);
    underway.get();
    EXPECT_EQ(later, now);
  }
}

TEST_F(TeamSegmentsTest, many_teams_leave_nothing) {
  const auto& heap = runtime::Rank::current().transport.memory().heap();
  // Large enough that the staging buffer needs its slots.
  const std::vector<double> input(5'000, 1.0);
  std::vector<double> output(input.size());
  const std::size_t committed_bytes = heap.committed_bytes;
  constexpr std::size_t slots_bytes = 16 * node::slot_bytes;
  for (int round = 0; round < 60; ++round) {
    const Team team = world_team().split(rank() % 2, round % 3);
    allreduce(std::span<const double>(input), std::span(output), Sum{}, team);
    EXPECT_EQ(output.back(), team.size());
    // Ranks let go at different times, but nobody begins the next team before all of this one
    // have entered the split.
    EXPECT_LE(collectives().node_memory().team_segments().retired_count(), 3U);
  }
  EXPECT_LE(heap.committed_bytes, committed_bytes + 8 * slots_bytes);
  for (int round = 0; round < 3; ++round) {
    barrier();
    collectives().node_memory().team_segments().sweep();
  }
  EXPECT_EQ(collectives().node_memory().team_segments().retired_count(), 0U);
  barrier();
}

TEST_F(TeamSegmentsTest, a_team_of_its_own_policy_number_follows_the_policy) {
  const Team team = world_team().split(0, -rank());
  const coll::Policy before = policy();
  for (const char* name : {"dissemination", "flag_exchange", "linear"}) {
    std::vector<coll::PolicyRow> rows(before.rows().begin(), before.rows().end());
    rows.insert(rows.begin(),
                {coll::Collective::barrier, coll::any_ranks, coll::any_bytes, name, "", "test"});
    set_policy(coll::Policy(std::move(rows)));
    for (int i = 0; i < 3; ++i) barrier(team);
    EXPECT_EQ(team.state().shortcuts.barrier != nullptr,
              has_segment(team) && std::string(name) == "flag_exchange");
  }
  set_policy(before);
}

}  // namespace
}  // namespace tasuki::test
