#include "node/teams/team_segments.hpp"

#include <cstring>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::node {

std::size_t TeamSegment::bytes_for(int ranks) noexcept {
  return sizeof(Departures) + NodeSegment::bytes_for(ranks);
}

TeamSegment::TeamSegment(Host& host, const Members& members, std::byte* memory)
    : departures_(reinterpret_cast<Departures*>(memory)),
      segment(host, members, memory + sizeof(Departures)) {}

std::byte* TeamSegments::allocate(int ranks) {
  const std::size_t bytes = TeamSegment::bytes_for(ranks);
  try {
    void* const memory = host_.allocate(bytes, alignof(TeamSegment::Departures));
    std::memset(memory, 0, bytes);
    return static_cast<std::byte*>(memory);
  } catch (const error&) {
    return nullptr;  // The team does without.
  }
}

std::unique_ptr<TeamSegment> TeamSegments::make(const Members& members, std::uint64_t address) {
  sweep();
  if (address == 0) return nullptr;
  auto* memory = reinterpret_cast<std::byte*>(address);
  if (members.rank != 0) {
    memory =
        host_.peers().map(members.world_rank(0), address, TeamSegment::bytes_for(members.count()));
    TASUKI_ASSERT(memory != nullptr);
  }
  return std::make_unique<TeamSegment>(host_, members, memory);
}

void TeamSegments::retire(std::unique_ptr<TeamSegment> segment) {
  __atomic_fetch_add(&segment->departures_->departed, 1, __ATOMIC_ACQ_REL);
  retired_.push_back(std::move(segment));
  sweep();
}

bool TeamSegments::give_back(const TeamSegment& segment) {
  Host& host = segment.segment.buffer.host();
  TeamSegment::Departures& departures = *segment.departures_;
  const StagingBuffer& buffer = segment.segment.buffer;
  const auto ranks = static_cast<std::uint64_t>(buffer.ranks());
  if (__atomic_load_n(&departures.departed, __ATOMIC_ACQUIRE) != ranks) return false;
  // The first rank goes last, for the counters that the others read lie in its heap.
  if (buffer.rank() == 0 && __atomic_load_n(&departures.freed, __ATOMIC_ACQUIRE) != ranks - 1) {
    return false;
  }
  if (buffer.own_memory() != nullptr) host.free(buffer.own_memory());
  if (buffer.rank() == 0) {
    host.free(&departures);
  } else {
    __atomic_fetch_add(&departures.freed, 1, __ATOMIC_ACQ_REL);
  }
  return true;
}

void TeamSegments::sweep() {
  std::erase_if(retired_, [](const auto& segment) { return give_back(*segment); });
}

}  // namespace tasuki::node
