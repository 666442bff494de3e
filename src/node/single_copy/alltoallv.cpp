#include "node/segment/node_function.hpp"
#include "node/segment/slots.hpp"
#include "node/single_copy/exchange.hpp"

namespace tasuki::node::single_copy {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  UnevenBlocks blocks(buffer, call, piece_bytes, buffer.ranks() - 1);
  give_to_others(blocks, buffer, call);
  blocks.publish();
  const int self = buffer.rank();
  const auto sent = BlockLayout::sent(call);
  std::byte* const self_block = output_of(call) + BlockLayout::received(call).offset_bytes(self);
  copy_self_block({self_block, sent.bytes(self)}, input_of(call) + sent.offset_bytes(self));
  take_from_others(blocks, buffer, call);
  blocks.end();
}

}  // namespace

extern const coll::AlgorithmDescriptor alltoallv = {
    .collective = Collective::alltoallv,
    .name = "single_copy",
    .summary =
        "Blocks that fit a piece go through the staging buffer; each rank copies longer ones "
        "straight out of the memory of the others.",
    .not_applicable_because = needs_shares_of_a_slot,
    .parameters = {&uneven_piece_bytes, 1},
    .way = in_peer_memory<run>,
    .cost_text = "on each rank: a copy of each block, two of the short ones",
};

}  // namespace tasuki::node::single_copy
