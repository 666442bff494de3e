#include <tasuki/base/copy_bytes.hpp>

#include "runtime/node_memory/algorithms.hpp"
#include "runtime/node_memory/pieces.hpp"

namespace tasuki::runtime::node_memory {

void broadcast_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  const Pieces pieces(call.shape.count, call.shape.element_bytes, piece_bytes);
  const Board::Turn turn(board, pieces.steps(), call);
  const int root = call.shape.root;
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    const std::uint64_t step = turn.first_step() + i;
    std::byte* const data = output_of(call) + pieces.offset_bytes(i);
    const std::size_t bytes = pieces.bytes(i);
    if (board.rank() == root) {
      board.put_up(step, data, bytes);
    } else {
      board.publish(step);
      base::copy_bytes(data, board.await(root, step, bytes), bytes);
    }
  }
}

}  // namespace tasuki::runtime::node_memory
