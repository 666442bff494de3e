#include <tasuki/detail/base/copy_bytes.hpp>

#include "node/segment/node_function.hpp"
#include "node/segment/pieces.hpp"
#include "node/segment/slots.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  const Pieces pieces(call.shape.count, call.shape.element_bytes, piece_bytes);
  const StagingBuffer::Turn turn(buffer, pieces.steps(), call);
  const int root = call.shape.root;
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    const std::uint64_t step = turn.first_step() + i;
    std::byte* const data = output_of(call) + pieces.offset_bytes(i);
    const std::size_t bytes = pieces.bytes(i);
    if (buffer.rank() == root) {
      buffer.stage(step, data, bytes);
    } else {
      buffer.publish(step);
      base::copy_bytes(data, buffer.await(root, step, bytes), bytes);
    }
  }
}

}  // namespace

extern const coll::AlgorithmDescriptor broadcast = {
    .collective = Collective::broadcast,
    .name = "staged",
    .summary =
        "The root stages the data, piece by piece, and all others copy them from there at the same "
        "time (Graham and Shipman 2008).",
    .not_applicable_because = needs_elements_of_a_slot,
    .parameters = {&staged_piece_bytes, 1},
    .way = in_shared_memory<run>,
    .cost_text = "p copies of n beside the first",
};

}  // namespace tasuki::node::staged
