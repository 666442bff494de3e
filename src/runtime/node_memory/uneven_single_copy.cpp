#include "runtime/node_memory/algorithms.hpp"
#include "runtime/node_memory/others.hpp"
#include "runtime/node_memory/pieces.hpp"
#include "runtime/node_memory/uneven_blocks.hpp"
#include "runtime/node_memory/uneven_layout.hpp"

namespace tasuki::runtime::node_memory {
namespace {

void give_to_others(UnevenBlocks& blocks, const Board& board, const CollectiveCall& call) {
  const auto layout = UnevenLayout::sent(call);
  for_each_other(board, [&](int taker) {
    blocks.give(taker, {input_of(call) + layout.offset_bytes(taker), layout.bytes(taker)});
  });
}

void take_from_others(UnevenBlocks& blocks, const Board& board, const CollectiveCall& call) {
  const auto layout = UnevenLayout::received(call);
  for_each_other(board, [&](int giver) {
    blocks.take(giver, {output_of(call) + layout.offset_bytes(giver), layout.bytes(giver)});
  });
}

}  // namespace

void gatherv_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  UnevenBlocks blocks(board, call, piece_bytes, 1);
  const int root = call.shape.root;
  const std::size_t bytes = call.shape.count * call.shape.element_bytes;
  if (board.rank() == root) {
    blocks.publish();
    const auto layout = UnevenLayout::received(call);
    copy_own({output_of(call) + layout.offset_bytes(root), bytes}, input_of(call));
    take_from_others(blocks, board, call);
  } else {
    blocks.give(root, {input_of(call), bytes});
    blocks.publish();
  }
  blocks.end();
}

void scatterv_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  UnevenBlocks blocks(board, call, piece_bytes, board.ranks() - 1);
  const int root = call.shape.root;
  const std::size_t bytes = call.shape.count * call.shape.element_bytes;
  if (board.rank() == root) {
    give_to_others(blocks, board, call);
    blocks.publish();
    const auto layout = UnevenLayout::sent(call);
    copy_own({output_of(call), bytes}, input_of(call) + layout.offset_bytes(root));
  } else {
    blocks.publish();
    blocks.take(root, {output_of(call), bytes});
  }
  blocks.end();
}

void alltoallv_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  UnevenBlocks blocks(board, call, piece_bytes, board.ranks() - 1);
  give_to_others(blocks, board, call);
  blocks.publish();
  const int self = board.rank();
  const auto sent = UnevenLayout::sent(call);
  std::byte* const own = output_of(call) + UnevenLayout::received(call).offset_bytes(self);
  copy_own({own, sent.bytes(self)}, input_of(call) + sent.offset_bytes(self));
  take_from_others(blocks, board, call);
  blocks.end();
}

}  // namespace tasuki::runtime::node_memory
