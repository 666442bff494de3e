#include "node/staged/all_blocks.hpp"

#include <tasuki/detail/base/copy_bytes.hpp>

#include "node/segment/block_layout.hpp"
#include "node/segment/pieces.hpp"

namespace tasuki::node::staged {

void stage_all_blocks(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes,
                      bool take) {
  const auto blocks = BlockLayout::received(call);
  const std::size_t element_bytes = call.shape.element_bytes;
  const Pieces pieces(*coll::common_count(call.collective, call.shape), element_bytes, piece_bytes);
  const std::size_t steps_count = pieces.steps();
  const StagingBuffer::Turn turn(buffer, steps_count, call);
  const std::size_t self_count = blocks.count(buffer.rank());
  const auto stage = [&](std::size_t i) {
    buffer.stage(turn.first_step() + i, input_of(call) + pieces.offset_bytes(i),
                 pieces.count_of(self_count, i) * element_bytes);
  };
  stage(0);
  for (std::size_t i = 0; i < steps_count; ++i) {
    // One piece ahead, so that the others have it when they are through with this one.
    if (i + 1 < steps_count) stage(i + 1);
    for (int rank = 0; take && rank < buffer.ranks(); ++rank) {
      const std::size_t bytes = pieces.count_of(blocks.count(rank), i) * element_bytes;
      std::byte* const into = output_of(call) + blocks.offset_bytes(rank) + pieces.offset_bytes(i);
      if (rank == buffer.rank()) {
        copy_self_block({into, bytes}, input_of(call) + pieces.offset_bytes(i));
      } else {
        base::copy_bytes(into, buffer.await(rank, turn.first_step() + i, bytes), bytes);
      }
    }
  }
}

}  // namespace tasuki::node::staged
