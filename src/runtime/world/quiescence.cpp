#include "runtime/world/quiescence.hpp"

#include <algorithm>
#include <span>
#include <tasuki/call.hpp>
#include <tasuki/collectives.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/world/thread_works.hpp>
#include <tasuki/team_calls.hpp>

#include "runtime/calls/service_record.hpp"
#include "runtime/collectives/rank_collectives.hpp"
#include "runtime/collectives/team_state.hpp"
#include "runtime/waiting/continuations.hpp"

namespace tasuki::runtime {

// All ranks are a team like any other, but for the order of the user's collectives.
Quiescence::Quiescence(Rank& self, RankCollectives& collectives, ThreadWorks& thread_works)
    : self_(self), collectives_(collectives), thread_works_(thread_works) {
  self.quiescence = this;
  const Team& all = collectives.service_team();
  waiting_.emplace(all.state().id, all);
}

Quiescence::Counts Quiescence::counts(const TeamState& team) const noexcept {
  // Continuations make calls too; what is left to the poller is like a call to this rank. So is
  // what a thread has handed over.
  Counts counts{self_.waits.continuations().unfinished_count() + thread_works_.added_count(),
                thread_works_.begun_count(), self_.traffic.service_records.begun,
                self_.traffic.service_records.done};
  for (const int rank : team.ranks) {
    const TrafficCounts& traffic = self_.traffic.by_rank[static_cast<std::size_t>(rank)];
    counts[0] += traffic.begun;
    counts[1] += traffic.done;
  }
  return counts;
}

Quiescence::Counts Quiescence::sum(const Team& team, const Counts& mine) {
  Counts sums{};
  auto call = describe_kept_reduction<std::uint64_t>(coll::Collective::allreduce, sums.size(),
                                                     std::span<const std::uint64_t>(mine),
                                                     std::span<std::uint64_t>(sums), Sum{});
  call.label = "quiesce";
  collectives_.start(team, std::move(call)).get();
  return sums;
}

void Quiescence::wait() { settle(collectives_.service_team(), never_seen); }

void Quiescence::wait(const Team& team) {
  const TeamState& state = team.state();
  if (state.is_world) return wait();
  waiting_.emplace(state.id, team);
  settle(team, never_seen);
  waiting_.erase(state.id);
}

void Quiescence::close() {
  const Team& all = collectives_.service_team();
  is_closing_ = true;
  Counts before = settle(all, never_seen);
  // What threads have handed over since the last round makes the next one different.
  thread_works_.refuse_strangers();
  before = settle(all, before);
  is_settled_ = true;  // so that the library's own records end, too
  for (;;) {
    const Counts sums = settle(all, before);
    if (sums == before && service_is_done(sums)) return;
    before = sums;
    self_.waits.yield();
  }
}

Quiescence::Counts Quiescence::settle(const Team& team, Counts before) {
  TeamState& state = team.state();
  for (;;) {
    self_.sender.flush();
    const Counts mine = counts(state);
    const Counts sums = sum(team, mine);
    ++state.quiescence.done_round;
    const bool nothing_happened = same_program(sums, before);
    if (nothing_happened && program_is_done(sums)) return sums;
    before = sums;
    if (nothing_happened) {
      wait_for_news(team, mine);
    } else {
      self_.waits.yield();
    }
  }
}

void Quiescence::wait_for_news(const Team& team, const Counts& mine) {
  const TeamState& state = team.state();
  const TeamState::QuiescenceRounds& rounds = state.quiescence;
  const auto is_wanted = [&] { return rounds.wanted_round > rounds.done_round; };
  const bool is_of_all = &state == &collectives_.service_team().state();
  self_.waits.wait_until([&] { return is_wanted() || !same_program(counts(state), mine); },
                         {fiber::WaitKind::quiesce, -1, nullptr, 0,
                          is_of_all ? 0 : reinterpret_cast<std::uint64_t>(&state)});
  if (!is_wanted()) want_round(team, rounds.done_round + 1);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): the team lives as long as sending takes
void Quiescence::want_round(Team team, std::uint64_t round) {
  TeamState& state = team.state();
  if (state.quiescence.wanted_round >= round) return;
  state.quiescence.wanted_round = round;
  if (state.rank != 0) {
    send_service_record(self_, state.ranks.front(), &handle_wanted_round, state.id, round);
    return;
  }
  for (std::size_t i = 1; i < state.ranks.size(); ++i) {
    send_service_record(self_, state.ranks[i], &handle_wanted_round, state.id, round);
  }
}

void Quiescence::handle_wanted_round(Rank& self, int source, Reader& reader) {
  Quiescence& quiescence = *self.quiescence;
  const auto id = reader.read<std::uint64_t>();
  const auto round = reader.read<std::uint64_t>();
  const auto found = quiescence.waiting_.find(id);
  // Else the round was held for other news, and this rank knows how it ended.
  if (found != quiescence.waiting_.end()) {
    TeamState& team = found->second.state();
    if (source == team.ranks.front()) {
      team.quiescence.wanted_round = std::max(team.quiescence.wanted_round, round);
    } else {
      quiescence.want_round(found->second, round);
    }
  }
  service_record_done(self);
}

}  // namespace tasuki::runtime

void tasuki::quiesce() { runtime::Rank::current().quiescence->wait(); }
void tasuki::quiesce(const Team& team) { runtime::Rank::current().quiescence->wait(team); }
