#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::scatter {

extern const AlgorithmDescriptor staged = {
    Collective::scatter,
    "staged",
    "The root puts all blocks on the board; each rank copies its own.",
    needs_blocks_of_a_slot,
    {&board_piece_bytes, 1},
    nullptr,
    "a copy of p n by the root, of n on each rank",
    nullptr,
    Medium::shared_memory};

}  // namespace tasuki::coll::scatter
