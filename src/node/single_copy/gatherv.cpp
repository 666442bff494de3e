#include "node/segment/node_function.hpp"
#include "node/segment/slots.hpp"
#include "node/single_copy/exchange.hpp"

namespace tasuki::node::single_copy {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  UnevenBlocks blocks(buffer, call, piece_bytes, 1);
  const int root = call.shape.root;
  const std::size_t bytes = call.shape.count * call.shape.element_bytes;
  if (buffer.rank() == root) {
    blocks.publish();
    const auto layout = BlockLayout::received(call);
    copy_self_block({output_of(call) + layout.offset_bytes(root), bytes}, input_of(call));
    take_from_others(blocks, buffer, call);
  } else {
    blocks.give(root, {input_of(call), bytes});
    blocks.publish();
  }
  blocks.end();
}

}  // namespace

extern const coll::AlgorithmDescriptor gatherv = {
    .collective = Collective::gatherv,
    .name = "single_copy",
    .summary =
        "Blocks that fit a piece go through the staging buffer; the root copies longer ones "
        "straight out of their rank's memory.",
    .not_applicable_because = coll::always_applicable,
    .parameters = {&uneven_piece_bytes, 1},
    .way = in_peer_memory<run>,
    .cost_text = "on the root: a copy of each block",
};

}  // namespace tasuki::node::single_copy
