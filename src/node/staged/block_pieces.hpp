// What alltoall and scatter have in common: blocks for all ranks, staged side by side.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/base/copy_bytes.hpp>
#include <tasuki/detail/coll/call.hpp>

#include "node/segment/pieces.hpp"
#include "node/segment/staging_buffer.hpp"

namespace tasuki::node::staged {

/// A piece of the block for each rank, side by side in one step; see stage_blocks.
struct BlockPieces {
  BlockPieces(const StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes)
      : ranks(static_cast<std::size_t>(buffer.ranks())),
        block_bytes(call.shape.count * call.shape.element_bytes),
        // In bytes of one block, so that those of all ranks make a piece.
        each(call.shape.count, call.shape.element_bytes, piece_bytes / ranks) {}

  std::size_t slot_bytes(std::size_t step) const { return ranks * each.bytes(step); }
  std::size_t slot_offset(std::size_t step, int reader) const {
    return static_cast<std::size_t>(reader) * each.bytes(step);
  }
  /// Where the piece of the block of `rank` lies in a buffer of all blocks.
  std::size_t buffer_offset(std::size_t step, int rank) const {
    return static_cast<std::size_t>(rank) * block_bytes + each.offset_bytes(step);
  }

  std::size_t ranks;
  std::size_t block_bytes;
  Pieces each;
};

/// Stages piece `i` of the `blocks` for all other ranks.
inline void stage_blocks(StagingBuffer& buffer, std::uint64_t step, std::size_t i,
                         const BlockPieces& pieces, const std::byte* blocks) {
  std::byte* const slot = buffer.open(step, pieces.slot_bytes(i));
  for (int rank = 0; rank < buffer.ranks(); ++rank) {
    if (rank == buffer.rank()) continue;
    base::copy_bytes(slot + pieces.slot_offset(i, rank), blocks + pieces.buffer_offset(i, rank),
                     pieces.each.bytes(i));
  }
  buffer.publish(step);
}

}  // namespace tasuki::node::staged
