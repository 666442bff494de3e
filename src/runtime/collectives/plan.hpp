// A plan: how a team carries out a collective of one shape.
//
// Made by PlanMaker at the first call of its kind, and kept with the team. Thread-safety: none; the
// rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tasuki/detail/coll/policy.hpp>
#include <tasuki/detail/coll/schedule.hpp>
#include <tasuki/detail/runtime/collectives/collective_call.hpp>
#include <variant>

#include "node/segment/node_function.hpp"

namespace tasuki::runtime {

struct Plan {
  /// No rank has any elements, as all of them know. (By messages that is a schedule, too.)
  struct Nothing {};
  struct ByMessages {
    std::shared_ptr<const coll::Schedule> schedule;
  };
  struct AfterSizeExchange {
    std::shared_ptr<const coll::Schedule> exchange;
    std::shared_ptr<const coll::Choice> choice;  ///< What makes the schedule of the collective.
  };
  struct InNodeMemory {
    node::Function function;
    std::size_t piece_bytes;
  };
  struct ByMpiLibrary {};
  using Way = std::variant<Nothing, ByMessages, AfterSizeExchange, InNodeMemory, ByMpiLibrary>;

  bool is_in_use() const noexcept { return users_count != 0; }

  coll::Collective collective{};
  coll::Shape shape;
  bool blocking = false;        ///< What works in node memory blocks its fiber: not for futures.
  std::size_t input_count = 0;  ///< That buffers have to hold.
  std::size_t output_count = 0;
  Way way;
  const char* algorithm = "";       ///< The name of what the policy chose.
  std::uint64_t policy_number = 0;  ///< Of the policy that has chosen it.
  int users_count = 0;              ///< Fibers that carry it out; it is not forgotten meanwhile.
};

/// What the choice means for the call. Requires: the call's shape was checked.
Plan::Way way_of(const coll::Choice& choice, const CollectiveCall& call);

/// Throws tasuki::error for check_sizes.
[[noreturn, gnu::cold]] void refuse_sizes(const CollectiveCall& call, const Plan& plan);

/// Throws tasuki::error unless the call's buffers are as long as the plan says.
inline void check_sizes(const CollectiveCall& call, const Plan& plan) {
  const bool is_whole =
      call.collective != coll::Collective::alltoall || call.input_count == plan.input_count;
  const bool fit = call.input_count >= plan.input_count && call.output_count >= plan.output_count;
  if (!fit || !is_whole) refuse_sizes(call, plan);
}

}  // namespace tasuki::runtime
