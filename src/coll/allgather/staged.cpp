#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::allgather {

extern const AlgorithmDescriptor staged = {
    Collective::allgather,
    "staged",
    "All put their blocks on the board, and each copies those of the others.",
    needs_elements_of_a_slot,
    {&board_piece_bytes, 1},
    nullptr,
    "on each rank: a copy of n and one of (p - 1) n",
    nullptr,
    Medium::shared_memory};

}  // namespace tasuki::coll::allgather
