// The ground that the collectives of one node stand on: the board and the barrier of a team whose
// ranks share memory, in that memory.
//
// One for all ranks, where they are on one node, and one for each team made by split
// (team_grounds.hpp). Used by the runtime's collectives. Thread-safety: none; the rank's own
// thread.
#pragma once

#include <cstddef>

#include "runtime/node_memory/board.hpp"
#include "runtime/node_memory/flag_barrier.hpp"

namespace tasuki::runtime::node_memory {

struct Ground {
  /// Requires: `memory` has bytes_for(members.count()), zero at first, the same for all of them.
  Ground(World& world, const Members& members, std::byte* memory);
  static std::size_t bytes_for(int ranks) noexcept;

  /// Collective, before anything that asks `reads_peers`.
  void agree();
  /// Can every rank read the memory of every other?
  bool reads_peers() const noexcept { return reads_peers_; }

  Board board;
  FlagBarrier barrier;

 private:
  World& world_;
  bool reads_peers_ = false;
};

}  // namespace tasuki::runtime::node_memory
