// The other ranks in an order that differs from rank to rank.
//
// Used by the collectives on shared memory. Thread-safety: none; the rank's own thread.
#pragma once

#include "runtime/node_memory/board.hpp"

namespace tasuki::runtime::node_memory {

/// Calls `body(rank)` for the others, each rank beginning with the one after itself, so that they
/// do not all read the same memory.
template <class Body>
void for_each_other(const Board& board, Body body) {
  for (int distance = 1; distance < board.ranks(); ++distance) {
    body((board.rank() + distance) % board.ranks());
  }
}

}  // namespace tasuki::runtime::node_memory
