// What one rank knows of a team: its ranks, the plans of its collectives, and where they work.
//
// A Team (tasuki/team.hpp) is a handle of it. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tasuki/detail/base/memory_account.hpp>
#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/detail/coll/plan_cache.hpp>
#include <tasuki/detail/fiber/wait_reason.hpp>
#include <tasuki/detail/runtime/collectives/collective_call.hpp>
#include <utility>
#include <vector>

#include "node/teams/team_segments.hpp"
#include "runtime/collectives/plan.hpp"

namespace tasuki::runtime {

struct TeamState {
  /// A program alternates between a handful of collectives.
  static constexpr std::size_t cached_plans_count = 16;

  /// What the policy says of collectives that take less time than it takes to find a plan.
  struct Shortcuts {
    node::BarrierFunction barrier = nullptr;  ///< nullptr: by messages.
    const char* barrier_algorithm = "";
    std::size_t element_most_bytes = 0;  ///< Of an element whose allreduce is staged.
    std::uint64_t policy_number = 0;     ///< Of the policy that says so.
  };

  /// Of waits until no call is under way among the ranks, since the team was made.
  struct QuiescenceRounds {
    std::uint64_t done_round = 0;    ///< The latest; the same on all ranks between two rounds.
    std::uint64_t wanted_round = 0;  ///< The latest that a rank with news has asked for.
  };

  TeamState() = default;
  TeamState(const TeamState&) = delete;
  TeamState& operator=(const TeamState&) = delete;
  ~TeamState() {
    const auto segments = team_segments.lock();
    if (segments != nullptr) segments->retire(std::move(team_segment));
  }

  /// Looks up where `ranks` are. `nodes` and `groups` are as Transport's nodes() and node_groups().
  void find_placement(std::span<const int> nodes, std::span<const int> groups) {
    if (nodes.empty()) return;
    const auto of_ranks = [this](std::span<const int> numbers) {
      std::vector<int> found;
      if (numbers.empty()) return found;
      for (const int each : ranks) found.push_back(numbers[static_cast<std::size_t>(each)]);
      return found;
    };
    auto found = std::make_shared<const coll::Placement>(of_ranks(nodes), of_ranks(groups));
    if (found->nodes_count() > 1) placement = std::move(found);
  }

  /// The world's and the library's own team have the ranks of the job.
  static constexpr base::MemoryAccount account_of_ranks() noexcept {
    return {"ranks of teams of all", 0, 2 * sizeof(int), 0};
  }
  /// Which they share; where ranks are on several nodes. With two on each or more: three numbers of
  /// each rank and two of each node, and so of nodes in groups; 15 if almost all are alone.
  static constexpr base::MemoryAccount account_of_placement() noexcept {
    return {"places of all ranks on nodes", 0, 8 * sizeof(int), 0};
  }

  /// A collective that ends on this rank: what does that say of the others?
  void note_complete(const CollectiveCall& call, std::uint32_t number) noexcept {
    const bool has_elements = call.shape.count != 0 || call.collective == coll::Collective::barrier;
    if (!has_elements || !coll::needs_all(call.collective)) return;
    const bool is_latest = static_cast<std::int32_t>(number - begun_by_all) >= 0;
    if (is_latest) begun_by_all = number + 1;
  }

  /// Why a fiber waits for `call`.
  fiber::WaitReason reason_of(const CollectiveCall& call) const noexcept {
    return {fiber::WaitKind::collective, -1,
            call.label != nullptr ? call.label : coll::name_of(call.collective), 0,
            reinterpret_cast<std::uint64_t>(this)};
  }

  std::uint64_t id = 0;
  std::vector<int> ranks;  ///< World ranks, in team order.
  /// Where the collectives of one node work: the world's, or that of `team_segment`; nullptr: by
  /// messages.
  node::NodeSegment* node_segment = nullptr;
  Shortcuts shortcuts;
  int rank = 0;                                      ///< This rank's place.
  std::shared_ptr<const coll::Placement> placement;  ///< nullptr: all are on one node.
  std::uint32_t next_operation = 0;
  std::uint32_t begun_by_all = 0;  ///< All ranks are known to have begun those before this number.
  std::uint32_t splits_count = 0;
  QuiescenceRounds quiescence;
  std::uint64_t checked_count = 0;  ///< Collectives that CollectiveCheck has seen.
  bool is_world = false;
  coll::PlanCache<Plan> plans{cached_plans_count};
  std::unique_ptr<node::TeamSegment> team_segment;  ///< nullptr: the team has none of its own.
  std::weak_ptr<node::TeamSegments> team_segments;  ///< Where `team_segment` comes from.
};

}  // namespace tasuki::runtime
