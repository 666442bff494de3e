#include "runtime/collectives/rank_collectives.hpp"

#include <memory>
#include <numeric>
#include <utility>

#include "node/staged/allreduce.hpp"
#include "runtime/collectives/collective_failure.hpp"
#include "runtime/collectives/recorded_collective.hpp"
#include "runtime/memory/puts.hpp"

namespace tasuki::runtime {
namespace {

constexpr std::uint64_t world_team_id = 1;
constexpr std::uint64_t service_team_id = 2;

/// Without a placement.
Team everybody(const Rank& self, std::uint64_t id, bool is_world) {
  auto state = std::make_shared<TeamState>();
  state->id = id;
  state->ranks.resize(static_cast<std::size_t>(self.size));
  std::iota(state->ranks.begin(), state->ranks.end(), 0);
  state->rank = self.rank;
  state->is_world = is_world;
  return Team(std::move(state));
}

}  // namespace

RankCollectives::RankCollectives(Rank& self)
    : self_(self),
      check_(self),
      world_team_(everybody(self, world_team_id, true)),
      service_team_(everybody(self, service_team_id, false)),
      node_memory_(self, world_team_.state()),
      mpi_requests_(self.transport.mpi_operations(), self.waits.scheduler(),
                    self.transport.capabilities().shares_cores),
      mpi_collectives_(self, mpi_requests_),
      plans_(mpi_collectives_.is_there()),
      schedules_(self, mpi_requests_) {
  world_team_.state().find_placement(self.transport.nodes(), self.transport.node_groups());
  service_team_.state().placement = world_team_.state().placement;
  self.collectives = this;
}

/// Starts a call in the way of its plan. Returns: its future.
struct RankCollectives::Starting {
  RankCollectives& self;
  const Team& team;
  CollectiveCall& call;

  Future<void> operator()(const Plan::Nothing&) const { return ready_future(); }
  Future<void> operator()(const Plan::ByMpiLibrary&) const {
    return self.mpi_collectives_.start(team.state(), std::move(call));
  }
  Future<void> operator()(const Plan::ByMessages& way) const {
    return self.schedules_.start(team.shared_state(), std::move(call), way);
  }
  Future<void> operator()(const Plan::AfterSizeExchange& way) const {
    return self.schedules_.start(team.shared_state(), std::move(call), way);
  }
  /// It would block the fiber, so PlanMaker never plans it for futures.
  Future<void> operator()(const Plan::InNodeMemory&) const {
    base::die("a future for a collective that would block its fiber");
  }
};

/// Carries a call out in the way of its plan. Returns when it is complete on this rank.
struct RankCollectives::Running {
  RankCollectives& self;
  const Team& team;
  CollectiveCall& call;
  Plan& plan;

  void operator()(const Plan::Nothing&) const {}
  void operator()(const Plan::ByMessages& way) const {
    self.schedules_.run(team.state(), call, plan, *way.schedule);
  }
  void operator()(const Plan::AfterSizeExchange& way) const {
    self.schedules_.start(team.shared_state(), std::move(call), way).get();
  }
  void operator()(const Plan::ByMpiLibrary&) const {
    self.mpi_collectives_.run(team.state(), call);
  }
  void operator()(const Plan::InNodeMemory& way) const {
    self.self_.sender.flush();
    must_succeed([&] { way.function(team.state().node_segment->buffer, call, way.piece_bytes); });
  }
};

void RankCollectives::finish() {
  self_.waits.wait_until([&] { return mpi_requests_.empty() && schedules_.under_way_count() == 0; },
                         {fiber::WaitKind::collective, -1, "the end of all collectives"});
}

void RankCollectives::check_alike(TeamState& team, const CollectiveCall& call) {
  if (&team == &service_team_.state()) return;  // what it does is the library's own
  check_.begin(team, call.collective, &call.op, call.shape.root, call.element_type);
}

Future<void> RankCollectives::start(const Team& team, CollectiveCall call) {
  TeamState& state = team.state();
  plans_.complete(state, call);
  const Plan& plan = plans_.plan_for(state, call, false);
  const Plan::Way way = plan.way;  // The plan may be forgotten where the check waits.
  const char* const algorithm = plan.algorithm;
  check_sizes(call, plan);
  check_alike(state, call);
  const auto start_it = [&] { return std::visit(Starting{*this, team, call}, way); };
  if (Recorder* const recorder = recorder_of(team)) [[unlikely]] {
    return record_collective(*recorder, facts_of(state, call, algorithm, false), start_it);
  }
  return start_it();
}

void RankCollectives::run(const Team& team, CollectiveCall& call) {
  TeamState& state = team.state();
  plans_.complete(state, call);
  if constexpr (CollectiveCheck::is_on) {
    // Checks the call; not kept, for the next may wait.
    check_sizes(call, plans_.plan_for(state, call, true));
    check_alike(state, call);
  }
  Plan& plan = plans_.plan_for(state, call, true);
  check_sizes(call, plan);
  const auto carry_out = [&] { std::visit(Running{*this, team, call, plan}, plan.way); };
  if (Recorder* const recorder = recorder_of(team)) [[unlikely]] {
    return record_collective(*recorder, facts_of(state, call, plan.algorithm, true), carry_out);
  }
  carry_out();
}

void RankCollectives::barrier(const Team& team) {
  TeamState& state = team.state();
  const node::BarrierFunction function = plans_.shortcuts_of(state).barrier;
  if (function == nullptr) {
    CollectiveCall call(coll::Collective::barrier);
    run(team, call);
  } else if (state.ranks.size() > 1) {
    check_.begin(state, coll::Collective::barrier, nullptr, 0, nullptr);
    const auto meet = [&] { (state.node_segment->barrier.*function)(); };
    if (Recorder* const recorder = recorder_of(team)) [[unlikely]] {
      const coll::Call call(coll::Collective::barrier);
      const char* const algorithm = plans_.shortcuts_of(state).barrier_algorithm;
      return record_collective(*recorder, facts_of(state, call, algorithm, true), meet);
    }
    meet();
  }
}

bool RankCollectives::allreduce_element(const Team& team, void* in_out, const coll::ReduceOp& op) {
  TeamState& state = team.state();
  if (op.element_bytes > plans_.shortcuts_of(state).element_most_bytes) return false;
  check_.begin(state, coll::Collective::allreduce, &op, 0, nullptr);
  self_.sender.flush();
  must_succeed([&] {
    node::allreduce_element(state.node_segment->buffer, static_cast<std::byte*>(in_out), op);
  });
  return true;
}

Future<void> start_collective(const Team& team, CollectiveCall call) {
  return Rank::current().collectives->start(team, std::move(call));
}

void run_collective(const Team& team, CollectiveCall call) {
  Rank::current().collectives->run(team, call);
}

bool allreduce_element(const Team& team, void* in_out, const coll::ReduceOp& op) {
  return Rank::current().collectives->allreduce_element(team, in_out, op);
}

}  // namespace tasuki::runtime

namespace tasuki {

Future<void> barrier_async(const Team& team) {
  return runtime::start_collective(team, runtime::CollectiveCall(coll::Collective::barrier));
}

void barrier(const Team& team) {
  runtime::Rank& self = runtime::Rank::current();
  self.sender.flush();
  // Stores to memory that this process addresses are ordered by the barrier itself.
  self.puts->fence();
  self.collectives->barrier(team);
}

}  // namespace tasuki
