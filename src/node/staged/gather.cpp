#include "node/segment/node_function.hpp"
#include "node/segment/slots.hpp"
#include "node/staged/all_blocks.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  stage_all_blocks(buffer, call, piece_bytes, buffer.rank() == call.shape.root);
}

}  // namespace

extern const coll::AlgorithmDescriptor gather = {
    .collective = Collective::gather,
    .name = "staged",
    .summary = "All stage their blocks; the root copies them.",
    .not_applicable_because = needs_elements_of_a_slot,
    .parameters = {&staged_piece_bytes, 1},
    .way = in_shared_memory<run>,
    .cost_text = "a copy of n on each rank, of p n by the root",
};

}  // namespace tasuki::node::staged
