// What reduce, scan and exscan have in common.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>

#include "node/segment/pieces.hpp"
#include "node/segment/rank_order.hpp"

namespace tasuki::node::staged {

/// All ranks stage their operands; each combines those of the first `ranks_count` ranks.
inline void combine_prefix(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes,
                           int ranks_count) {
  const Pieces pieces(call.shape.count, call.shape.element_bytes, piece_bytes);
  const StagingBuffer::Turn turn(buffer, pieces.steps(), call);
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    const std::uint64_t step = turn.first_step() + i;
    const std::size_t bytes = pieces.bytes(i);
    buffer.stage(step, input_of(call) + pieces.offset_bytes(i), bytes);
    if (ranks_count == 0) continue;
    combine_in_rank_order(buffer, step, bytes, 0, pieces.count(i), ranks_count, call.op,
                          output_of(call) + pieces.offset_bytes(i));
  }
}

}  // namespace tasuki::node::staged
