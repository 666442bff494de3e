// The other ranks in an order that differs from rank to rank.
//
// Used by the collectives on shared memory. Thread-safety: none; the rank's own thread.
#pragma once

#include "node/segment/staging_buffer.hpp"

namespace tasuki::node {

/// Calls `body(rank)` for the others, each rank beginning with the one after itself, so that they
/// do not all read the same memory.
template <class Body>
void for_each_other(const StagingBuffer& buffer, Body body) {
  for (int distance = 1; distance < buffer.ranks(); ++distance) {
    body((buffer.rank() + distance) % buffer.ranks());
  }
}

}  // namespace tasuki::node
