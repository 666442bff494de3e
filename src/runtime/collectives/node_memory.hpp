// The memory that the collectives of one node work in: the segment of all ranks, if they share one
// node, and those of teams made by split.
//
// Owned by the collectives. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
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
  /// Gives a new team a segment if its ranks share memory; `nodes` are what their node() says.
  /// Collective over the team, before anything else on it.
  void give_segment(const Team& team, std::span<const int> nodes);

 private:
  /// Where the team's first rank has allocated the segment; 0: it has no memory left.
  std::uint64_t agree_on_address(const Team& team);

  Rank& self_;
  NodeHost host_;
  std::optional<node::NodeSegment> world_segment_;
  std::shared_ptr<node::TeamSegments> team_segments_;
};

}  // namespace tasuki::runtime
