#include "node/segment/block_layout.hpp"
#include "node/segment/node_function.hpp"
#include "node/segment/pieces.hpp"
#include "node/single_copy/exposure.hpp"

namespace tasuki::node::single_copy {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t) {
  Exposure exposed(buffer, call.input, nullptr, 0, call);
  const std::size_t self_offset = BlockLayout::sent(call).offset_bytes(buffer.rank());
  const std::span<std::byte> into{output_of(call), call.shape.count * call.shape.element_bytes};
  const bool is_root = buffer.rank() == call.shape.root;
  if (is_root) {
    copy_self_block(into, input_of(call) + self_offset);
  } else {
    exposed.read(call.shape.root, self_offset, into);
  }
  exposed.end(is_root);
}

}  // namespace

extern const coll::AlgorithmDescriptor scatter = {
    .collective = Collective::scatter,
    .name = "single_copy",
    .summary = "Each rank copies its block straight out of the root's memory.",
    .way = in_peer_memory<run>,
    .cost_text = "p copies of n at the same time",
};

}  // namespace tasuki::node::single_copy
