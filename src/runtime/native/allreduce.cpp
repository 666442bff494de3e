#include <tasuki/base/copy_bytes.hpp>

#include "runtime/native/native.hpp"
#include "runtime/native/pieces.hpp"
#include "runtime/native/rank_order.hpp"

namespace tasuki::runtime::native {
namespace {

/// Two ranks need not read their own operand back from the board.
void combine_two(Board& board, const std::byte* theirs, const std::byte* mine, std::byte* into,
                 std::size_t count, const coll::ReduceOp& op) {
  if (into != mine) base::copy_bytes(into, mine, count * op.element_bytes);
  const auto apply = board.rank() == 0 ? op.apply_right : op.apply;
  apply(theirs, into, count, op.state);
}

}  // namespace

void allreduce_element(Board& board, std::byte* in_out, const coll::ReduceOp& op) {
  const Board::Turn turn(board, 1, "allreduce");
  const std::uint64_t step = turn.first_step();
  base::copy_bytes(board.open(step, op.element_bytes), in_out, op.element_bytes);
  board.publish(step);
  if (board.ranks() == 2) {
    combine_two(board, board.await(1 - board.rank(), step, op.element_bytes), in_out, in_out, 1,
                op);
  } else {
    combine_in_rank_order(board, step, op.element_bytes, 0, 1, board.ranks(), op, in_out);
  }
}

void allreduce_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  const Pieces pieces(call.shape.count, call.shape.element_bytes, piece_bytes);
  const std::size_t steps_count = pieces.steps();
  const Board::Turn turn(board, steps_count, "allreduce");
  const auto put_up = [&](std::size_t i) {
    const std::uint64_t step = turn.first_step() + i;
    base::copy_bytes(board.open(step, pieces.bytes(i)), input_of(call) + pieces.offset_bytes(i),
                     pieces.bytes(i));
    board.publish(step);
  };
  put_up(0);
  for (std::size_t i = 0; i < steps_count; ++i) {
    // One piece ahead, so that the others have it when they are through with this one.
    if (i + 1 < steps_count) put_up(i + 1);
    const std::uint64_t step = turn.first_step() + i;
    std::byte* const into = output_of(call) + pieces.offset_bytes(i);
    if (board.ranks() == 2) {
      combine_two(board, board.await(1 - board.rank(), step, pieces.bytes(i)),
                  input_of(call) + pieces.offset_bytes(i), into, pieces.count(i), call.op);
    } else {
      combine_in_rank_order(board, step, pieces.bytes(i), 0, pieces.count(i), board.ranks(),
                            call.op, into);
    }
  }
}

void allreduce_staged_halves(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  const auto ranks = static_cast<std::size_t>(board.ranks());
  const std::size_t element_bytes = call.shape.element_bytes;
  const Pieces pieces(call.shape.count, element_bytes, piece_bytes);
  const Board::Turn turn(board, 2 * pieces.steps(), "allreduce");
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    const std::uint64_t operands_step = turn.first_step() + 2 * i;
    const std::uint64_t results_step = operands_step + 1;
    const std::size_t offset_bytes = pieces.offset_bytes(i);
    // The share of each rank but perhaps the last ones.
    const std::size_t share = (pieces.count(i) + ranks - 1) / ranks;
    const auto begin_of = [&](std::size_t rank) { return std::min(rank * share, pieces.count(i)); };
    const auto count_of = [&](std::size_t rank) { return begin_of(rank + 1) - begin_of(rank); };

    base::copy_bytes(board.open(operands_step, pieces.bytes(i)), input_of(call) + offset_bytes,
                     pieces.bytes(i));
    board.publish(operands_step);
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

}  // namespace tasuki::runtime::native
