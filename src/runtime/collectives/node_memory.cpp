#include "runtime/collectives/node_memory.hpp"

#include <algorithm>
#include <utility>

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

std::uint64_t NodeMemory::agree_on_address(const Team& team) {
  std::uint64_t address = 0;
  if (team.rank() == 0) {
    address = reinterpret_cast<std::uint64_t>(team_segments_->allocate(team.size()));
  }
  auto call = describe<std::uint64_t>(coll::Collective::broadcast, 1, {}, std::span(&address, 1));
  call.label = "split";
  start_collective(team, std::move(call)).get();
  return address;
}

void NodeMemory::give_segment(const Team& new_team, std::span<const int> nodes) {
  const auto differs = [&](int node) { return node != nodes.front(); };
  if (nodes.size() == 1 || std::any_of(nodes.begin(), nodes.end(), differs)) return;
  const std::uint64_t address = agree_on_address(new_team);
  TeamState& team = new_team.state();
  const node::Members members{team.ranks, team.rank, reinterpret_cast<std::uint64_t>(&team)};
  team.team_segment = team_segments_->make(members, address);
  if (team.team_segment == nullptr) return;
  team.team_segments = team_segments_;
  team.node_segment = &team.team_segment->segment;
  team.shortcuts = {};  // What followed before there was a segment.
  if (world_segment_.has_value()) team.node_segment->agree_like(*world_segment_);
}

}  // namespace tasuki::runtime
