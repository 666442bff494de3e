#include "node/segment/node_function.hpp"
#include "node/segment/slots.hpp"
#include "node/staged/prefix.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  combine_prefix(buffer, call, piece_bytes, buffer.rank() + 1);
}

}  // namespace

extern const coll::AlgorithmDescriptor scan = {
    .collective = Collective::scan,
    .name = "staged",
    .summary =
        "All stage their operands; each combines those of the ranks up to its own, in order.",
    .not_applicable_because = needs_elements_of_a_slot,
    .parameters = {&staged_piece_bytes, 1},
    .way = in_shared_memory<run>,
    .cost_text = "on each rank: a copy of n, at most (p - 1) n combined",
    .order = coll::Order::ranks,
};

}  // namespace tasuki::node::staged
