#include "runtime/collectives/node_memory.hpp"

namespace tasuki::runtime {

NodeMemory::NodeMemory(Rank& self, TeamState& everybody)
    : self_(self), host_(self), team_segments_(std::make_shared<node::TeamSegments>(host_)) {
  const std::span<std::byte> scratch = self.transport.memory().shared_scratch();
  if (scratch.size() < node::NodeSegment::bytes_for(self.size)) return;
  const node::Members members{everybody.ranks, everybody.rank, 0};
  world_segment_.emplace(host_, members, scratch.data());
  everybody.node_segment = &*world_segment_;
}

void NodeMemory::begin() {
  if (world_segment_.has_value() && self_.size > 1) world_segment_->agree();
}

int NodeMemory::node() const {
  int lowest = 0;
  while (!self_.transport.memory().shares(lowest)) ++lowest;
  return lowest;
}

void NodeMemory::give_segment(TeamState& team, std::uint64_t address) {
  const node::Members members{team.ranks, team.rank, reinterpret_cast<std::uint64_t>(&team)};
  team.team_segment = team_segments_->make(members, address);
  if (team.team_segment == nullptr) return;
  team.team_segments = team_segments_;
  team.node_segment = &team.team_segment->segment;
  team.shortcuts = {};  // What followed before there was a segment.
  if (world_segment_.has_value()) team.node_segment->agree_like(*world_segment_);
}

}  // namespace tasuki::runtime
