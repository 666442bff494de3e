#include "node/segment/node_function.hpp"
#include "node/segment/slots.hpp"
#include "node/staged/block_pieces.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  const BlockPieces pieces(buffer, call, piece_bytes);
  const StagingBuffer::Turn turn(buffer, pieces.each.steps(), call);
  const int root = call.shape.root;
  const int me = buffer.rank();
  for (std::size_t i = 0; i < pieces.each.steps(); ++i) {
    const std::uint64_t step = turn.first_step() + i;
    std::byte* const into = output_of(call) + pieces.each.offset_bytes(i);
    if (me == root) {
      stage_blocks(buffer, step, i, pieces, input_of(call));
      copy_self_block({into, pieces.each.bytes(i)}, input_of(call) + pieces.buffer_offset(i, me));
    } else {
      buffer.publish(step);
      const std::byte* const theirs = buffer.await(root, step, pieces.slot_bytes(i));
      base::copy_bytes(into, theirs + pieces.slot_offset(i, me), pieces.each.bytes(i));
    }
  }
}

}  // namespace

extern const coll::AlgorithmDescriptor scatter = {
    .collective = Collective::scatter,
    .name = "staged",
    .summary = "The root stages all blocks; each rank copies its own.",
    .not_applicable_because = needs_blocks_of_a_slot,
    .parameters = {&staged_piece_bytes, 1},
    .way = in_shared_memory<run>,
    .cost_text = "a copy of p n by the root, of n on each rank",
};

}  // namespace tasuki::node::staged
