// Combining operands that lie in the staging buffer in the order of the ranks.
//
// Used by the reductions on shared memory. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/base/copy_bytes.hpp>
#include <tasuki/detail/coll/reduction.hpp>

#include "node/segment/staging_buffer.hpp"

namespace tasuki::node {

/// into = x0 OP x1 ... OP x(ranks_count - 1), where xr are the `count` elements at `offset_bytes`
/// of the `bytes` that rank r has staged in the step. Requires: ranks_count >= 1.
inline void combine_in_rank_order(StagingBuffer& buffer, std::uint64_t step, std::size_t bytes,
                                  std::size_t offset_bytes, std::size_t count, int ranks_count,
                                  const coll::ReduceOp& op, std::byte* into) {
  base::copy_bytes(into, buffer.await(0, step, bytes) + offset_bytes, count * op.element_bytes);
  for (int rank = 1; rank < ranks_count; ++rank) {
    op.apply_right(buffer.await(rank, step, bytes) + offset_bytes, into, count, op.state);
  }
}

}  // namespace tasuki::node
