#include "runtime/collectives/node_memory.hpp"

namespace tasuki::runtime {

NodeMemory::NodeMemory(Rank& self, TeamState& everybody)
    : self_(self), host_(self), team_segments_(std::make_shared<node::TeamSegments>(host_)) {
  transport::Transport& transport = self.transport;
  if (transport.shared_scratch_bytes() < node::NodeSegment::bytes_for(self.size)) return;
  const node::Members members{everybody.ranks, everybody.rank, 0};
  world_segment_.emplace(host_, members, transport.shared_scratch());
  everybody.node_segment = &*world_segment_;
}

void NodeMemory::begin() {
  if (world_segment_.has_value() && self_.size > 1) world_segment_->agree();
}

int NodeMemory::node() const {
  const transport::Transport& transport = self_.transport;
  if (!transport.capabilities().maps_peers) return self_.rank;
  int lowest = 0;
  while (lowest != self_.rank && !transport.same_node(lowest)) ++lowest;
  return lowest;
}

void NodeMemory::give_segment(TeamState& team, std::uint64_t address) {
  const node::Members members{team.ranks, team.rank, reinterpret_cast<std::uint64_t>(&team)};
  team.team_segment = team_segments_->make(members, address);
  if (team.team_segment == nullptr) return;
  team.team_segments = team_segments_;
  team.node_segment = &team.team_segment->segment;
  team.shortcuts = {};  // What followed before there was a segment.
  team.node_segment->agree();
}

}  // namespace tasuki::runtime
