#include "runtime/node_memory/algorithms.hpp"
#include "runtime/node_memory/pieces.hpp"
#include "runtime/node_memory/rank_order.hpp"

namespace tasuki::runtime::node_memory {
namespace {

/// All put their operands up; each combines those of the first `ranks_count` ranks.
void combine_prefix(Board& board, const CollectiveCall& call, std::size_t piece_bytes,
                    int ranks_count) {
  const Pieces pieces(call.shape.count, call.shape.element_bytes, piece_bytes);
  const Board::Turn turn(board, pieces.steps(), call);
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    const std::uint64_t step = turn.first_step() + i;
    const std::size_t bytes = pieces.bytes(i);
    board.put_up(step, input_of(call) + pieces.offset_bytes(i), bytes);
    if (ranks_count == 0) continue;
    combine_in_rank_order(board, step, bytes, 0, pieces.count(i), ranks_count, call.op,
                          output_of(call) + pieces.offset_bytes(i));
  }
}

}  // namespace

void reduce_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  const int ranks_count = board.rank() == call.shape.root ? board.ranks() : 0;
  combine_prefix(board, call, piece_bytes, ranks_count);
}

void scan_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  combine_prefix(board, call, piece_bytes, board.rank() + 1);
}

void exscan_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  combine_prefix(board, call, piece_bytes, board.rank());
}

}  // namespace tasuki::runtime::node_memory
