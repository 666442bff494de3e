#include <tasuki/base/copy_bytes.hpp>

#include "runtime/native/native.hpp"
#include "runtime/native/pieces.hpp"
#include "runtime/native/rank_order.hpp"

namespace tasuki::runtime::native {

void reduce_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  const Pieces pieces(call.shape.count, call.shape.element_bytes, piece_bytes);
  const Board::Turn turn(board, pieces.steps(), "reduce");
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    const std::uint64_t step = turn.first_step() + i;
    const std::size_t bytes = pieces.bytes(i);
    base::copy_bytes(board.open(step, bytes), input_of(call) + pieces.offset_bytes(i), bytes);
    board.publish(step);
    if (board.rank() != call.shape.root) continue;
    combine_in_rank_order(board, step, bytes, 0, pieces.count(i), board.ranks(), call.op,
                          output_of(call) + pieces.offset_bytes(i));
  }
}

}  // namespace tasuki::runtime::native
