#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::gather {

extern const AlgorithmDescriptor staged = {
    Collective::gather,
    "staged",
    "All put their blocks on the board; the root copies them.",
    needs_elements_of_a_slot,
    {&board_piece_bytes, 1},
    nullptr,
    "a copy of n on each rank, of p n by the root",
    nullptr,
    Medium::shared_memory};

}  // namespace tasuki::coll::gather
