// The memory that the collectives of one node work in: the segment of all ranks, if they share one
// node, and those of teams made by split.
//
// Owned by the collectives. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <tasuki/detail/runtime/calls/rank.hpp>

#include "node/teams/node_segment.hpp"
#include "node/teams/team_segments.hpp"
#include "runtime/collectives/node_host.hpp"
#include "runtime/collectives/team_state.hpp"

namespace tasuki::runtime {

class NodeMemory {
 public:
  /// `everybody` is the team of all ranks, which gets its segment.
  NodeMemory(Rank& self, TeamState& everybody);

  /// Collective over all ranks, before anything else.
  void begin();
  /// nullptr unless all ranks share one node.
  node::NodeSegment* world_segment() noexcept {
    return world_segment_.has_value() ? &*world_segment_ : nullptr;
  }
  node::TeamSegments& team_segments() noexcept { return *team_segments_; }
  /// The lowest rank that this rank shares memory with: the same for all ranks of a node.
  int node() const;
  /// Gives the team the segment that its first rank has allocated at `address`, unless that is 0.
  /// Collective over the team.
  void give_segment(TeamState& team, std::uint64_t address);

 private:
  Rank& self_;
  NodeHost host_;
  std::optional<node::NodeSegment> world_segment_;
  std::shared_ptr<node::TeamSegments> team_segments_;
};

}  // namespace tasuki::runtime
