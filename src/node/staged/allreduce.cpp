#include "node/staged/allreduce.hpp"

#include <tasuki/detail/base/copy_bytes.hpp>

#include "node/segment/node_function.hpp"
#include "node/segment/pieces.hpp"
#include "node/segment/rank_order.hpp"
#include "node/segment/slots.hpp"

namespace tasuki::node {
namespace {

/// Combines the operands of all ranks, of which `mine` is this one's. Two ranks need not read their
/// own operand back from the staging buffer.
void combine_all(StagingBuffer& buffer, std::uint64_t step, const std::byte* mine, std::byte* into,
                 std::size_t count, const coll::ReduceOp& op) {
  const std::size_t bytes = count * op.element_bytes;
  if (buffer.ranks() != 2) {
    combine_in_rank_order(buffer, step, bytes, 0, count, buffer.ranks(), op, into);
    return;
  }
  const std::byte* const theirs = buffer.await(1 - buffer.rank(), step, bytes);
  if (into != mine) base::copy_bytes(into, mine, bytes);
  const auto apply = buffer.rank() == 0 ? op.apply_right : op.apply;
  apply(theirs, into, count, op.state);
}

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  const Pieces pieces(call.shape.count, call.shape.element_bytes, piece_bytes);
  const std::size_t steps_count = pieces.steps();
  const StagingBuffer::Turn turn(buffer, steps_count, call);
  const auto stage = [&](std::size_t i) {
    buffer.stage(turn.first_step() + i, input_of(call) + pieces.offset_bytes(i), pieces.bytes(i));
  };
  stage(0);
  for (std::size_t i = 0; i < steps_count; ++i) {
    // One piece ahead, so that the others have it when they are through with this one.
    if (i + 1 < steps_count) stage(i + 1);
    combine_all(buffer, turn.first_step() + i, input_of(call) + pieces.offset_bytes(i),
                output_of(call) + pieces.offset_bytes(i), pieces.count(i), call.op);
  }
}

}  // namespace

void allreduce_element(StagingBuffer& buffer, std::byte* in_out, const coll::ReduceOp& op) {
  const StagingBuffer::Turn turn(
      buffer, 1, CallTag(coll::Collective::allreduce, op.element_bytes, 0), "allreduce");
  const std::uint64_t step = turn.first_step();
  buffer.stage(step, in_out, op.element_bytes);
  combine_all(buffer, step, in_out, in_out, 1, op);
}

namespace staged {

extern const coll::AlgorithmDescriptor allreduce = {
    .collective = coll::Collective::allreduce,
    .name = "staged",
    .summary = "All stage their operands, and each combines all of them in rank order.",
    .not_applicable_because = needs_elements_of_a_slot,
    .parameters = {&staged_piece_bytes, 1},
    .way = in_shared_memory<run>,
    .cost_text = "on each rank: a copy of n, (p - 1) n combined",
    .order = coll::Order::ranks,
};

}  // namespace staged
}  // namespace tasuki::node
