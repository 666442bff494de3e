#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::allgatherv {

extern const AlgorithmDescriptor staged = {
    .collective = Collective::allgatherv,
    .name = "staged",
    .summary = "All put their blocks on the board, and each copies those of the others.",
    .not_applicable_because = needs_elements_of_a_slot,
    .parameters = {&board_piece_bytes, 1},
    .way = InNodeMemory{},
    .cost_text = "on each rank: a copy of its block and one of each other",
};

}  // namespace tasuki::coll::allgatherv
