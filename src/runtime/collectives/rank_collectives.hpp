// The collectives of one rank: its teams of all ranks, and what chooses and carries out their
// collectives, put together.
//
// Owned by the world; the functions for users call it. Thread-safety: none; the rank's own thread.
#pragma once

#include <tasuki/collectives.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <unordered_map>

#include "runtime/collectives/collective_check.hpp"
#include "runtime/collectives/mpi_collectives.hpp"
#include "runtime/collectives/mpi_requests.hpp"
#include "runtime/collectives/node_memory.hpp"
#include "runtime/collectives/plan_maker.hpp"
#include "runtime/collectives/schedule_executor.hpp"
#include "runtime/recording/recorder.hpp"

namespace tasuki::runtime {

class RankCollectives {
 public:
  explicit RankCollectives(Rank& self);

  Future<void> start(const Team& team, CollectiveCall call);
  /// The same, returning when it is complete on this rank.
  void run(const Team& team, CollectiveCall& call);
  void barrier(const Team& team);
  /// An allreduce of one element. Returns: false, having done nothing, unless the policy has it be
  /// staged.
  bool allreduce_element(const Team& team, void* in_out, const coll::ReduceOp& op);

  const Team& world_team() const noexcept { return world_team_; }
  /// All ranks too, but for the library's own use, apart from the user's order of collectives.
  const Team& service_team() const noexcept { return service_team_; }
  /// Of team_of, empty at first. Kept, for collectives of a team that began anew would count from
  /// the beginning, and take messages of earlier ones for theirs.
  Team& named_team(std::uint64_t id) { return named_teams_[id]; }
  /// Collective over all ranks, before anything else.
  void begin() { node_memory_.begin(); }
  /// Waits until all that was started on this rank is through.
  void finish();

  PlanMaker& plans() noexcept { return plans_; }
  NodeMemory& node_memory() noexcept { return node_memory_; }
  ScheduleExecutor& schedules() noexcept { return schedules_; }
  CollectiveCheck& check() noexcept { return check_; }
  /// What is under way in the MPI library, for the poller.
  MpiRequests& mpi_requests() noexcept { return mpi_requests_; }

 private:
  struct Starting;
  struct Running;
  void check_alike(TeamState& team, const CollectiveCall& call);
  /// What the library does for itself is no collective of the program.
  Recorder* recorder_of(const Team& team) const noexcept {
    Recorder* const recorder = Recorder::current();
    return recorder == nullptr || &team == &service_team_ ? nullptr : recorder;
  }

  Rank& self_;
  CollectiveCheck check_;
  Team world_team_;
  Team service_team_;
  std::unordered_map<std::uint64_t, Team> named_teams_;  ///< By id.
  NodeMemory node_memory_;
  MpiRequests mpi_requests_;
  MpiCollectives mpi_collectives_;
  PlanMaker plans_;
  ScheduleExecutor schedules_;
};

}  // namespace tasuki::runtime
