#include "node/segment/block_layout.hpp"
#include "node/segment/node_function.hpp"
#include "node/segment/others.hpp"
#include "node/segment/pieces.hpp"
#include "node/single_copy/exposure.hpp"

namespace tasuki::node::single_copy {
namespace {

using coll::Collective;

/// Whoever gets the blocks of all ranks copies each straight out of its rank's memory, where it is
/// all that lies there or, in an alltoall, one of many.
template <Collective collective>
void run(StagingBuffer& buffer, const coll::Call& call, std::size_t) {
  Exposure exposed(buffer, call.input, nullptr, 0, call);
  const int self = buffer.rank();
  if (collective != Collective::gather || self == call.shape.root) {
    constexpr bool is_one_of_many = collective == Collective::alltoall;
    const std::size_t offset = is_one_of_many ? BlockLayout::sent(call).offset_bytes(self) : 0;
    const auto blocks = BlockLayout::received(call);
    const auto block_of = [&](int rank) {
      return std::span{output_of(call) + blocks.offset_bytes(rank), blocks.bytes(rank)};
    };
    copy_self_block(block_of(self), input_of(call) + offset);
    for_each_other(buffer, [&](int rank) { exposed.read(rank, offset, block_of(rank)); });
  }
  exposed.end(true);
}

}  // namespace

extern const coll::AlgorithmDescriptor gather = {
    .collective = Collective::gather,
    .name = "single_copy",
    .summary = "The root copies each block straight out of its rank's memory.",
    .way = in_peer_memory<run<Collective::gather>>,
    .cost_text = "p copies of n by the root",
};

extern const coll::AlgorithmDescriptor allgather = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "single_copy",
    .summary = "Each rank copies every block straight out of its rank's memory.",
    .way = in_peer_memory<run<Collective::allgather>>,
    .cost_text = "on each rank: a copy of each block",
};

extern const coll::AlgorithmDescriptor alltoall = {
    .collective = Collective::alltoall,
    .name = "single_copy",
    .summary = "Each rank copies its block straight out of the memory of each other rank.",
    .way = in_peer_memory<run<Collective::alltoall>>,
    .cost_text = "on each rank: p copies of n",
};

}  // namespace tasuki::node::single_copy
