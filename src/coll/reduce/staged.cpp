#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::reduce {

extern const AlgorithmDescriptor staged = {
    .collective = Collective::reduce,
    .name = "staged",
    .summary = "All put their operands on the board; the root combines them in rank order.",
    .not_applicable_because = needs_elements_of_a_slot,
    .parameters = {&board_piece_bytes, 1},
    .way = InNodeMemory{},
    .cost_text = "a copy of n on each rank; (p - 1) n combined by the root",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::reduce
