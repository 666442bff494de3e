#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::alltoall {

extern const AlgorithmDescriptor staged = {
    Collective::alltoall,
    "staged",
    "All put their blocks on the board, and each copies those that are for it.",
    needs_blocks_of_a_slot,
    {&board_piece_bytes, 1},
    nullptr,
    "on each rank: 2 copies of (p - 1) n",
    nullptr,
    Medium::shared_memory};

}  // namespace tasuki::coll::alltoall
