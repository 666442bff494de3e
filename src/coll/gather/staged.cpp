#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::gather {

extern const AlgorithmDescriptor staged = {
    .collective = Collective::gather,
    .name = "staged",
    .summary = "All put their blocks on the board; the root copies them.",
    .not_applicable_because = needs_elements_of_a_slot,
    .parameters = {&board_piece_bytes, 1},
    .way = InNodeMemory{},
    .cost_text = "a copy of n on each rank, of p n by the root",
};

}  // namespace tasuki::coll::gather
