#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::reduce_scatter_block {

extern const AlgorithmDescriptor staged = {
    Collective::reduce_scatter_block,
    "staged",
    "All put their operands on the board; each combines its block of them in rank order.",
    needs_blocks_of_a_slot,
    {&board_piece_bytes, 1},
    nullptr,
    "on each rank: a copy of p n, (p - 1) n combined",
    nullptr,
    Medium::shared_memory,
    Order::ranks};

}  // namespace tasuki::coll::reduce_scatter_block
