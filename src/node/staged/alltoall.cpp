#include "node/segment/node_function.hpp"
#include "node/segment/others.hpp"
#include "node/segment/slots.hpp"
#include "node/staged/block_pieces.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  const BlockPieces pieces(buffer, call, piece_bytes);
  const std::size_t steps_count = pieces.each.steps();
  const StagingBuffer::Turn turn(buffer, steps_count, call);
  const int me = buffer.rank();
  stage_blocks(buffer, turn.first_step(), 0, pieces, input_of(call));
  base::copy_bytes(output_of(call) + pieces.buffer_offset(0, me),
                   input_of(call) + pieces.buffer_offset(0, me), pieces.block_bytes);
  for (std::size_t i = 0; i < steps_count; ++i) {
    const std::uint64_t step = turn.first_step() + i;
    // One piece ahead, so that the others have it when they are through with this one.
    if (i + 1 < steps_count) stage_blocks(buffer, step + 1, i + 1, pieces, input_of(call));
    for_each_other(buffer, [&](int rank) {
      const std::byte* const theirs = buffer.await(rank, step, pieces.slot_bytes(i));
      base::copy_bytes(output_of(call) + pieces.buffer_offset(i, rank),
                       theirs + pieces.slot_offset(i, me), pieces.each.bytes(i));
    });
  }
}

}  // namespace

extern const coll::AlgorithmDescriptor alltoall = {
    .collective = Collective::alltoall,
    .name = "staged",
    .summary = "All stage their blocks, and each copies those that are for it.",
    .not_applicable_because = needs_blocks_of_a_slot,
    .parameters = {&staged_piece_bytes, 1},
    .way = in_shared_memory<run>,
    .cost_text = "on each rank: 2 copies of (p - 1) n",
};

}  // namespace tasuki::node::staged
