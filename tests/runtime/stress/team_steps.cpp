#include "runtime/stress/team_steps.hpp"

#include "runtime/stress/rank_state.hpp"

namespace tasuki::test::stress {
namespace {

using Values = std::vector<std::uint64_t>;

/// Element `index` of what rank `rank` of the team gives.
std::uint64_t given(const CollectiveStep& step, int rank, std::size_t index) {
  return step.value * static_cast<std::uint64_t>(rank + 1) + index;
}

Values given(const CollectiveStep& step, int rank, std::size_t first, std::size_t count) {
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = given(step, rank, first + i);
  return values;
}

/// Elementwise sum of what the ranks [0, end) give.
Values summed(const CollectiveStep& step, int end) {
  Values sums(step.count);
  for (int rank = 0; rank < end; ++rank) {
    for (std::size_t i = 0; i < step.count; ++i) sums[i] += given(step, rank, i);
  }
  return sums;
}

void run_broadcast(const CollectiveStep& step, const Team& team) {
  const int root = static_cast<int>(step.value) % team.size();
  const Values expected = given(step, root, 0, step.count);
  Values values = team.rank() == root ? expected : Values(step.count);
  if (step.is_async) {
    broadcast_async(std::span(values), root, team).get();
  } else {
    broadcast(std::span(values), root, team);
  }
  expect(values == expected, "a broadcast gave wrong values");
}

void run_allreduce(const CollectiveStep& step, const Team& team) {
  const Values mine = given(step, team.rank(), 0, step.count);
  Values sums(step.count);
  if (step.is_async) {
    allreduce_async(std::span<const std::uint64_t>(mine), std::span(sums), Sum{}, team).get();
  } else {
    allreduce(std::span<const std::uint64_t>(mine), std::span(sums), Sum{}, team);
  }
  expect(sums == summed(step, team.size()), "an allreduce gave wrong values");
}

void run_scan(const CollectiveStep& step, const Team& team) {
  const Values mine = given(step, team.rank(), 0, step.count);
  Values sums(step.count);
  if (step.is_async) {
    scan_async(std::span<const std::uint64_t>(mine), std::span(sums), Sum{}, team).get();
  } else {
    scan(std::span<const std::uint64_t>(mine), std::span(sums), Sum{}, team);
  }
  expect(sums == summed(step, team.rank() + 1), "a scan gave wrong values");
}

void run_alltoall(const CollectiveStep& step, const Team& team) {
  const auto ranks = static_cast<std::size_t>(team.size());
  const Values mine = given(step, team.rank(), 0, step.count * ranks);
  Values values(mine.size());
  if (step.is_async) {
    alltoall_async(std::span<const std::uint64_t>(mine), std::span(values), team).get();
  } else {
    alltoall(std::span<const std::uint64_t>(mine), std::span(values), team);
  }
  Values expected;
  for (int rank = 0; rank < team.size(); ++rank) {
    const std::size_t first = step.count * static_cast<std::size_t>(team.rank());
    const Values block = given(step, rank, first, step.count);
    expected.insert(expected.end(), block.begin(), block.end());
  }
  expect(values == expected, "an alltoall gave wrong values");
}

/// Elements that rank `from` of the team gives to rank `to`: a pair in three exchanges none.
std::size_t uneven_count(const CollectiveStep& step, int from, int to) {
  const auto kind = (step.value + static_cast<std::uint64_t>(from + 2 * to)) % 3;
  return static_cast<std::size_t>(kind) * step.count / 2;
}

void run_alltoallv(const CollectiveStep& step, const Team& team) {
  const int me = team.rank();
  Blocks sent;
  Blocks received;
  Values expected;
  std::size_t sent_count = 0;
  for (int other = 0; other < team.size(); ++other) {
    sent.counts.push_back(uneven_count(step, me, other));
    received.counts.push_back(uneven_count(step, other, me));
    sent_count += sent.counts.back();
    std::size_t first = 0;
    for (int before = 0; before < me; ++before) first += uneven_count(step, other, before);
    const Values block = given(step, other, first, received.counts.back());
    expected.insert(expected.end(), block.begin(), block.end());
  }
  const Values mine = given(step, me, 0, sent_count);
  Values values(expected.size());
  const std::span<const std::uint64_t> input(mine);
  if (step.is_async) {
    alltoallv_async(input, sent, std::span(values), received, team).get();
  } else {
    alltoallv(input, sent, std::span(values), received, team);
  }
  expect(values == expected, "an alltoallv gave wrong values");
}

void run_step(const CollectiveStep& step, const Team& team) {
  switch (step.kind) {
    case CollectiveKind::barrier:
      return step.is_async ? barrier_async(team).get() : barrier(team);
    case CollectiveKind::broadcast:
      return run_broadcast(step, team);
    case CollectiveKind::allreduce:
      return run_allreduce(step, team);
    case CollectiveKind::scan:
      return run_scan(step, team);
    case CollectiveKind::alltoall:
      return run_alltoall(step, team);
    case CollectiveKind::alltoallv:
      return run_alltoallv(step, team);
  }
}

}  // namespace

void run_team_steps(std::size_t index) {
  const RankState& state = own_state();
  for (const CollectiveStep& step : state.plan.teams[index].steps) {
    run_step(step, state.teams[index]);
  }
}

}  // namespace tasuki::test::stress
