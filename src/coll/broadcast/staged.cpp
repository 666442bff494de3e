#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::broadcast {

extern const AlgorithmDescriptor staged = {
    .collective = Collective::broadcast,
    .name = "staged",
    .summary =
        "The root puts the data on the board, piece by piece, and all others copy them from there "
        "at the same time (Graham and Shipman 2008).",
    .not_applicable_because = needs_elements_of_a_slot,
    .parameters = {&board_piece_bytes, 1},
    .way = InNodeMemory{},
    .cost_text = "p copies of n beside the first",
};

}  // namespace tasuki::coll::broadcast
