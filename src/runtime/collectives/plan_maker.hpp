// What chooses how collectives are carried out: the policy, and whether the results of reductions
// have to be reproducible.
//
// Owned by the collectives. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/coll/policy.hpp>
#include <tasuki/detail/runtime/collectives/collective_call.hpp>

#include "runtime/collectives/plan.hpp"
#include "runtime/collectives/team_state.hpp"

namespace tasuki::runtime {

class PlanMaker {
 public:
  explicit PlanMaker(bool has_mpi_library);

  const coll::Policy& policy() const noexcept { return policy_; }
  void set_policy(coll::Policy policy);
  bool is_reproducible() const noexcept { return is_reproducible_; }
  void set_reproducible(bool wanted);

  /// Fills in what follows from the team.
  void complete(const TeamState& team, CollectiveCall& call) const {
    call.shape.ranks = static_cast<int>(team.ranks.size());
    call.shape.rank = team.rank;
    call.shape.placement = team.placement.get();
    const bool reduces = call.op.apply != nullptr;
    call.shape.reproducible = is_reproducible_ && reduces;
    call.shape.in_place = reduces && call.input == call.output && call.input_count != 0 &&
                          call.collective != coll::Collective::reduce_scatter_block &&
                          call.collective != coll::Collective::reduce_scatter;
  }
  /// The plan of a call that is complete; made at the first call of its kind. Throws tasuki::error
  /// if the call makes no sense.
  Plan& plan_for(TeamState& team, const CollectiveCall& call, bool blocking) const {
    const auto matches = [&](const Plan& plan) {
      return plan.collective == call.collective && plan.blocking == blocking &&
             plan.policy_number == policy_number_ && plan.shape == call.shape;
    };
    return team.plans.find_or_add(matches, [&] { return make_plan(team, call, blocking); });
  }
  const TeamState::Shortcuts& shortcuts_of(TeamState& team) const {
    if (team.shortcuts.policy_number != policy_number_) find_shortcuts(team);
    return team.shortcuts;
  }
  /// Of blocking collectives.
  coll::Media media_of(const TeamState& team) const;

 private:
  /// The same but for peer_memory, which the ranks first have to ask each other about.
  coll::Media media_without_peers(const TeamState& team) const;
  Plan make_plan(const TeamState& team, const CollectiveCall& call, bool blocking) const;
  void find_shortcuts(TeamState& team) const;
  std::size_t find_element_most_bytes(const TeamState& team) const;

  coll::Policy policy_;
  bool is_reproducible_ = false;
  std::uint64_t policy_number_ = 1;  ///< Of policies set so far.
  bool has_mpi_library_;
};

}  // namespace tasuki::runtime
