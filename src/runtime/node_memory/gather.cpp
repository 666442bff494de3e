#include <tasuki/base/copy_bytes.hpp>

#include "runtime/node_memory/algorithms.hpp"
#include "runtime/node_memory/pieces.hpp"

namespace tasuki::runtime::node_memory {
namespace {

/// All put their blocks up; those that are told to `take` copy everybody's.
void put_up_and_take(Board& board, const CollectiveCall& call, std::size_t piece_bytes, bool take) {
  const Pieces pieces(call.shape.count, call.shape.element_bytes, piece_bytes);
  const std::size_t steps_count = pieces.steps();
  const std::size_t block_bytes = call.shape.count * call.shape.element_bytes;
  const Board::Turn turn(board, steps_count, call);
  const auto put_up = [&](std::size_t i) {
    board.put_up(turn.first_step() + i, input_of(call) + pieces.offset_bytes(i), pieces.bytes(i));
  };
  put_up(0);
  for (std::size_t i = 0; i < steps_count; ++i) {
    // One piece ahead, so that the others have it when they are through with this one.
    if (i + 1 < steps_count) put_up(i + 1);
    for (int rank = 0; take && rank < board.ranks(); ++rank) {
      std::byte* const into =
          output_of(call) + static_cast<std::size_t>(rank) * block_bytes + pieces.offset_bytes(i);
      if (rank == board.rank()) {
        const std::byte* const own = input_of(call) + pieces.offset_bytes(i);
        if (own != into) base::copy_bytes(into, own, pieces.bytes(i));
      } else {
        base::copy_bytes(into, board.await(rank, turn.first_step() + i, pieces.bytes(i)),
                         pieces.bytes(i));
      }
    }
  }
}

}  // namespace

void gather_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  put_up_and_take(board, call, piece_bytes, board.rank() == call.shape.root);
}

void allgather_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  put_up_and_take(board, call, piece_bytes, true);
}

}  // namespace tasuki::runtime::node_memory
