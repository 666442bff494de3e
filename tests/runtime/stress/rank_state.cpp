#include "runtime/stress/rank_state.hpp"

#include <atomic>
#include <cstdio>
#include <numeric>

namespace tasuki::test::stress {
namespace {

std::atomic<bool> any_failure = false;

Team make_team(TeamKind kind, std::uint64_t seed) {
  switch (kind) {
    case TeamKind::world:
      return world_team();
    case TeamKind::halves:
      return world_team().split(rank() % 2);
    case TeamKind::reversed:
      break;
  }
  std::vector<int> ranks(static_cast<std::size_t>(size()));
  std::iota(ranks.rbegin(), ranks.rend(), 0);
  return team_of(ranks, seed);
}

}  // namespace

std::vector<std::unique_ptr<RankState>>& states_here() {
  static std::vector<std::unique_ptr<RankState>> states;
  return states;
}

RankState& own_state() { return *states_here()[static_cast<std::size_t>(rank())]; }

void renew_state(std::uint64_t seed) {
  auto state = std::make_unique<RankState>();
  state->plan = make_plan(seed, size());
  const auto me = static_cast<std::size_t>(rank());
  state->outcome.private_inbox.resize(state->plan.private_inbox_bytes[me]);
  Directory mine;
  mine.heap_inbox = new_array<unsigned char>(state->plan.heap_inbox_bytes[me] + 1);
  mine.private_inbox = global_ptr(state->outcome.private_inbox.data());
  mine.atomic = new_<std::uint64_t>(0);
  mine.counters = new_array<std::uint64_t>(static_cast<std::size_t>(size()));
  mine.sync = {rank(), &state->sync};
  for (const TeamPlan& team : state->plan.teams) {
    state->teams.push_back(make_team(team.team, seed));
  }
  RankState& kept = *state;
  states_here()[me] = std::move(state);
  kept.directory = allgather(mine);
}

void collect_from_heap() {
  RankState& state = own_state();
  const Directory& mine = state.directory[static_cast<std::size_t>(rank())];
  const std::size_t bytes = state.plan.heap_inbox_bytes[static_cast<std::size_t>(rank())];
  const unsigned char* inbox = mine.heap_inbox.raw();
  state.outcome.heap_inbox.assign(inbox, inbox + bytes);
  state.outcome.atomic = mine.atomic.read();
  barrier();
  delete_(mine.heap_inbox);
  delete_(mine.atomic);
  delete_(mine.counters);
}

void fail(const std::string& text) {
  std::fprintf(stderr, "rank %d, seed %llu: %s\n", rank(),
               static_cast<unsigned long long>(own_state().plan.seed), text.c_str());
  any_failure = true;
}

bool has_failed() noexcept { return any_failure; }

}  // namespace tasuki::test::stress
