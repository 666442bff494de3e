#include <tasuki/base/copy_bytes.hpp>

#include "runtime/node_memory/algorithms.hpp"
#include "runtime/node_memory/others.hpp"
#include "runtime/node_memory/pieces.hpp"
#include "runtime/node_memory/rank_order.hpp"

namespace tasuki::runtime::node_memory {
namespace {

/// A piece of the block for each rank, side by side in one step; see put_up.
struct BlockPieces {
  BlockPieces(const Board& board, const CollectiveCall& call, std::size_t piece_bytes)
      : ranks(static_cast<std::size_t>(board.ranks())),
        block_bytes(call.shape.count * call.shape.element_bytes),
        // In bytes of one block, so that those of all ranks make a piece.
        each(call.shape.count, call.shape.element_bytes, piece_bytes / ranks) {}

  std::size_t slot_bytes(std::size_t step) const { return ranks * each.bytes(step); }
  std::size_t slot_offset(std::size_t step, int reader) const {
    return static_cast<std::size_t>(reader) * each.bytes(step);
  }
  /// Where the piece of the block of `rank` lies in a buffer of all blocks.
  std::size_t buffer_offset(std::size_t step, int rank) const {
    return static_cast<std::size_t>(rank) * block_bytes + each.offset_bytes(step);
  }

  std::size_t ranks;
  std::size_t block_bytes;
  Pieces each;
};

void put_up(Board& board, std::uint64_t step, std::size_t i, const BlockPieces& pieces,
            const std::byte* blocks) {
  std::byte* const slot = board.open(step, pieces.slot_bytes(i));
  for (int rank = 0; rank < board.ranks(); ++rank) {
    if (rank == board.rank()) continue;
    base::copy_bytes(slot + pieces.slot_offset(i, rank), blocks + pieces.buffer_offset(i, rank),
                     pieces.each.bytes(i));
  }
  board.publish(step);
}

}  // namespace

void alltoall_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  const BlockPieces pieces(board, call, piece_bytes);
  const std::size_t steps_count = pieces.each.steps();
  const Board::Turn turn(board, steps_count, call);
  const int me = board.rank();
  put_up(board, turn.first_step(), 0, pieces, input_of(call));
  base::copy_bytes(output_of(call) + pieces.buffer_offset(0, me),
                   input_of(call) + pieces.buffer_offset(0, me), pieces.block_bytes);
  for (std::size_t i = 0; i < steps_count; ++i) {
    const std::uint64_t step = turn.first_step() + i;
    // One piece ahead, so that the others have it when they are through with this one.
    if (i + 1 < steps_count) put_up(board, step + 1, i + 1, pieces, input_of(call));
    for_each_other(board, [&](int rank) {
      const std::byte* const theirs = board.await(rank, step, pieces.slot_bytes(i));
      base::copy_bytes(output_of(call) + pieces.buffer_offset(i, rank),
                       theirs + pieces.slot_offset(i, me), pieces.each.bytes(i));
    });
  }
}

void scatter_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  const BlockPieces pieces(board, call, piece_bytes);
  const Board::Turn turn(board, pieces.each.steps(), call);
  const int root = call.shape.root;
  const int me = board.rank();
  for (std::size_t i = 0; i < pieces.each.steps(); ++i) {
    const std::uint64_t step = turn.first_step() + i;
    std::byte* const into = output_of(call) + pieces.each.offset_bytes(i);
    if (me == root) {
      put_up(board, step, i, pieces, input_of(call));
      copy_own({into, pieces.each.bytes(i)}, input_of(call) + pieces.buffer_offset(i, me));
    } else {
      board.publish(step);
      const std::byte* const theirs = board.await(root, step, pieces.slot_bytes(i));
      base::copy_bytes(into, theirs + pieces.slot_offset(i, me), pieces.each.bytes(i));
    }
  }
}

void reduce_scatter_block_staged(Board& board, const CollectiveCall& call,
                                 std::size_t piece_bytes) {
  const BlockPieces pieces(board, call, piece_bytes);
  const Board::Turn turn(board, pieces.each.steps(), call);
  for (std::size_t i = 0; i < pieces.each.steps(); ++i) {
    const std::uint64_t step = turn.first_step() + i;
    std::byte* const slot = board.open(step, pieces.slot_bytes(i));
    for (int rank = 0; rank < board.ranks(); ++rank) {
      base::copy_bytes(slot + pieces.slot_offset(i, rank),
                       input_of(call) + pieces.buffer_offset(i, rank), pieces.each.bytes(i));
    }
    board.publish(step);
    combine_in_rank_order(board, step, pieces.slot_bytes(i), pieces.slot_offset(i, board.rank()),
                          pieces.each.count(i), board.ranks(), call.op,
                          output_of(call) + pieces.each.offset_bytes(i));
  }
}

}  // namespace tasuki::runtime::node_memory
