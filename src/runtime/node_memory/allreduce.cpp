#include <algorithm>
#include <tasuki/base/copy_bytes.hpp>

#include "runtime/node_memory/algorithms.hpp"
#include "runtime/node_memory/pieces.hpp"
#include "runtime/node_memory/rank_order.hpp"

namespace tasuki::runtime::node_memory {
namespace {

/// Combines the operands of all ranks, of which `mine` is this one's. Two ranks need not read their
/// own operand back from the board.
void combine_all(Board& board, std::uint64_t step, const std::byte* mine, std::byte* into,
                 std::size_t count, const coll::ReduceOp& op) {
  const std::size_t bytes = count * op.element_bytes;
  if (board.ranks() != 2) {
    combine_in_rank_order(board, step, bytes, 0, count, board.ranks(), op, into);
    return;
  }
  const std::byte* const theirs = board.await(1 - board.rank(), step, bytes);
  if (into != mine) base::copy_bytes(into, mine, bytes);
  const auto apply = board.rank() == 0 ? op.apply_right : op.apply;
  apply(theirs, into, count, op.state);
}

}  // namespace

void allreduce_element(Board& board, std::byte* in_out, const coll::ReduceOp& op) {
  const Board::Turn turn(board, 1, CallTag(coll::Collective::allreduce, op.element_bytes, 0),
                         "allreduce");
  const std::uint64_t step = turn.first_step();
  board.put_up(step, in_out, op.element_bytes);
  combine_all(board, step, in_out, in_out, 1, op);
}

void allreduce_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  const Pieces pieces(call.shape.count, call.shape.element_bytes, piece_bytes);
  const std::size_t steps_count = pieces.steps();
  const Board::Turn turn(board, steps_count, call);
  const auto put_up = [&](std::size_t i) {
    board.put_up(turn.first_step() + i, input_of(call) + pieces.offset_bytes(i), pieces.bytes(i));
  };
  put_up(0);
  for (std::size_t i = 0; i < steps_count; ++i) {
    // One piece ahead, so that the others have it when they are through with this one.
    if (i + 1 < steps_count) put_up(i + 1);
    combine_all(board, turn.first_step() + i, input_of(call) + pieces.offset_bytes(i),
                output_of(call) + pieces.offset_bytes(i), pieces.count(i), call.op);
  }
}

void allreduce_staged_halves(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  const auto ranks = static_cast<std::size_t>(board.ranks());
  const std::size_t element_bytes = call.shape.element_bytes;
  const Pieces pieces(call.shape.count, element_bytes, piece_bytes);
  const Board::Turn turn(board, 2 * pieces.steps(), call);
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    const std::uint64_t operands_step = turn.first_step() + 2 * i;
    const std::uint64_t results_step = operands_step + 1;
    const std::size_t offset_bytes = pieces.offset_bytes(i);
    // The share of each rank but perhaps the last ones.
    const std::size_t share = (pieces.count(i) + ranks - 1) / ranks;
    const auto begin_of = [&](std::size_t rank) { return std::min(rank * share, pieces.count(i)); };
    const auto count_of = [&](std::size_t rank) { return begin_of(rank + 1) - begin_of(rank); };

    board.put_up(operands_step, input_of(call) + offset_bytes, pieces.bytes(i));
    const auto me = static_cast<std::size_t>(board.rank());
    std::byte* const mine = board.open(results_step, count_of(me) * element_bytes);
    if (count_of(me) != 0) {
      combine_in_rank_order(board, operands_step, pieces.bytes(i), begin_of(me) * element_bytes,
                            count_of(me), board.ranks(), call.op, mine);
    }
    board.publish(results_step);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const std::size_t bytes = count_of(rank) * element_bytes;
      base::copy_bytes(output_of(call) + offset_bytes + begin_of(rank) * element_bytes,
                       board.await(static_cast<int>(rank), results_step, bytes), bytes);
    }
  }
}

}  // namespace tasuki::runtime::node_memory
