#include "node/segment/node_function.hpp"
#include "node/segment/slots.hpp"
#include "node/staged/all_blocks.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  stage_all_blocks(buffer, call, piece_bytes, true);
}

}  // namespace

extern const coll::AlgorithmDescriptor allgather = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "staged",
    .summary = "All stage their blocks, and each copies those of the others.",
    .not_applicable_because = needs_elements_of_a_slot,
    .parameters = {&staged_piece_bytes, 1},
    .way = in_shared_memory<run>,
    .cost_text = "on each rank: a copy of its block and one of each other",
};

}  // namespace tasuki::node::staged
