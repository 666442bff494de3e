#include <tasuki/base/copy_bytes.hpp>

#include "runtime/node_memory/algorithms.hpp"
#include "runtime/node_memory/pieces.hpp"
#include "runtime/node_memory/rank_order.hpp"
#include "runtime/node_memory/uneven_layout.hpp"

namespace tasuki::runtime::node_memory {

void reduce_scatter_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  const std::size_t element_bytes = call.shape.element_bytes;
  const auto layout = UnevenLayout::received(call);
  // In bytes of one block, so that those of all ranks make a piece.
  const Pieces pieces(*coll::common_count(call.collective, call.shape), element_bytes,
                      piece_bytes / static_cast<std::size_t>(board.ranks()));
  const Board::Turn turn(board, pieces.steps(), call);
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    const std::uint64_t step = turn.first_step() + i;
    const auto count_of = [&](int rank) { return pieces.count_of(layout.count(rank), i); };
    std::size_t all_bytes = 0;
    std::size_t own_offset = 0;
    for (int rank = 0; rank < board.ranks(); ++rank) {
      if (rank == board.rank()) own_offset = all_bytes;
      all_bytes += count_of(rank) * element_bytes;
    }
    std::byte* to = board.open(step, all_bytes);
    for (int rank = 0; rank < board.ranks(); ++rank) {
      const std::size_t bytes = count_of(rank) * element_bytes;
      base::copy_bytes(to, input_of(call) + layout.offset_bytes(rank) + pieces.offset_bytes(i),
                       bytes);
      to += bytes;
    }
    board.publish(step);
    if (count_of(board.rank()) == 0) continue;
    combine_in_rank_order(board, step, all_bytes, own_offset, count_of(board.rank()), board.ranks(),
                          call.op, output_of(call) + pieces.offset_bytes(i));
  }
}

}  // namespace tasuki::runtime::node_memory
