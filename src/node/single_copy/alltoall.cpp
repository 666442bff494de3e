#include "node/segment/block_layout.hpp"
#include "node/segment/node_function.hpp"
#include "node/segment/others.hpp"
#include "node/segment/pieces.hpp"
#include "node/single_copy/exposure.hpp"

namespace tasuki::node::single_copy {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t) {
  Exposure exposed(buffer, call.input, nullptr, 0, call);
  const auto blocks = BlockLayout::received(call);
  const auto block_of = [&](int rank) {
    return std::span{output_of(call) + blocks.offset_bytes(rank), blocks.bytes(rank)};
  };
  const std::size_t self_offset = BlockLayout::sent(call).offset_bytes(buffer.rank());
  copy_self_block(block_of(buffer.rank()), input_of(call) + self_offset);
  for_each_other(buffer, [&](int rank) { exposed.read(rank, self_offset, block_of(rank)); });
  exposed.end(true);
}

}  // namespace

extern const coll::AlgorithmDescriptor alltoall = {
    .collective = Collective::alltoall,
    .name = "single_copy",
    .summary = "Each rank copies its block straight out of the memory of each other rank.",
    .not_applicable_because = coll::always_applicable,
    .way = in_peer_memory<run>,
    .cost_text = "on each rank: p copies of n",
};

}  // namespace tasuki::node::single_copy
