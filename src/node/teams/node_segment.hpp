// The segment that the collectives of one node stand on: the staging buffer and the barrier of a
// team whose ranks share memory, in that memory.
//
// One for all ranks, where they are on one node, and one for each team made by split
// (team_segments.hpp). Used by the runtime's collectives. Thread-safety: none; the rank's own
// thread.
#pragma once

#include <cstddef>

#include "node/barrier/flag_barrier.hpp"
#include "node/segment/staging_buffer.hpp"

namespace tasuki::node {

struct NodeSegment {
  /// Requires: `memory` has bytes_for(members.count()), zero at first, the same for all of them.
  NodeSegment(Host& host, const Members& members, std::byte* memory);
  static std::size_t bytes_for(int ranks) noexcept;

  /// Collective, before anything that asks `reads_peers`.
  void agree();
  /// The same for a team, from the segment of all ranks: each has tried one neighbour only, so the
  /// answers of all tell who can read whom, and those of a part do not.
  void agree_like(const NodeSegment& whole) noexcept { reads_peers_ = whole.reads_peers_; }
  /// Can every rank read the memory of every other?
  bool reads_peers() const noexcept { return reads_peers_; }

  StagingBuffer buffer;
  FlagBarrier barrier;

 private:
  Host& host_;
  bool reads_peers_ = false;
};

}  // namespace tasuki::node
