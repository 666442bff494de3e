#include "node/segment/node_function.hpp"
#include "node/segment/slots.hpp"
#include "node/staged/prefix.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  combine_prefix(buffer, call, piece_bytes, buffer.rank() == call.shape.root ? buffer.ranks() : 0);
}

}  // namespace

extern const coll::AlgorithmDescriptor reduce = {
    .collective = Collective::reduce,
    .name = "staged",
    .summary = "All stage their operands; the root combines them in rank order.",
    .not_applicable_because = needs_elements_of_a_slot,
    .parameters = {&staged_piece_bytes, 1},
    .way = in_shared_memory<run>,
    .cost_text = "a copy of n on each rank; (p - 1) n combined by the root",
    .order = coll::Order::ranks,
};

}  // namespace tasuki::node::staged
