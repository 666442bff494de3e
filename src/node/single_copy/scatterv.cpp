#include "node/segment/node_function.hpp"
#include "node/segment/slots.hpp"
#include "node/single_copy/exchange.hpp"

namespace tasuki::node::single_copy {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  UnevenBlocks blocks(buffer, call, piece_bytes, buffer.ranks() - 1);
  const int root = call.shape.root;
  const std::size_t bytes = call.shape.count * call.shape.element_bytes;
  if (buffer.rank() == root) {
    give_to_others(blocks, buffer, call);
    blocks.publish();
    const auto layout = BlockLayout::sent(call);
    copy_self_block({output_of(call), bytes}, input_of(call) + layout.offset_bytes(root));
  } else {
    blocks.publish();
    blocks.take(root, {output_of(call), bytes});
  }
  blocks.end();
}

}  // namespace

extern const coll::AlgorithmDescriptor scatterv = {
    .collective = Collective::scatterv,
    .name = "single_copy",
    .summary =
        "Blocks that fit a piece go through the staging buffer; each rank copies a longer one "
        "straight out of the root's memory.",
    .not_applicable_because = needs_shares_of_a_slot,
    .parameters = {&uneven_piece_bytes, 1},
    .way = in_peer_memory<run>,
    .cost_text = "on each rank: a copy of its block; on the root: of the short ones",
};

}  // namespace tasuki::node::single_copy
