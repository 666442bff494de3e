#include <algorithm>
#include <cstddef>
#include <limits>
#include <tasuki/detail/runtime/memory/peer_mappings.hpp>

namespace tasuki::runtime {

constinit thread_local PeerMappings::Known PeerMappings::known_;

PeerMappings::PeerMappings(Rank& self)
    : memory_(self.transport.memory()), ranges_(static_cast<std::size_t>(self.size)) {
  self.peer_mappings = this;
  for (int rank = 0; rank < self.size; ++rank) {
    ranges_[static_cast<std::size_t>(rank)].is_elsewhere = !memory_.shares(rank);
  }
  // All of its own memory is where it says, but for the null pointer.
  Range& own = ranges_[static_cast<std::size_t>(self.rank)];
  own.first = 1;
  own.bytes = std::numeric_limits<std::ptrdiff_t>::max();
}

void PeerMappings::set_current(const PeerMappings* mappings) noexcept {
  known_ = {};
  if (mappings == nullptr) return;
  known_ = {mappings->ranges_.data(), static_cast<unsigned>(mappings->ranges_.size())};
}

std::byte* PeerMappings::find(int rank, std::uintptr_t address, std::size_t bytes) {
  std::byte* here = memory_.map(rank, address, bytes);
  if (here == nullptr) return nullptr;
  Range& range = ranges_[static_cast<std::size_t>(rank)];
  const bool first_time = range.bytes == 0;
  const std::uintptr_t first = first_time ? address : std::min(range.first, address);
  const std::uintptr_t end = std::max(range.first + range.bytes, address + bytes);
  range.first = first;
  range.bytes = end - first;
  range.offset = reinterpret_cast<std::uintptr_t>(here) - address;
  return here;
}

}  // namespace tasuki::runtime
