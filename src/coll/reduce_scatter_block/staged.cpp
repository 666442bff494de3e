#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::reduce_scatter_block {

extern const AlgorithmDescriptor staged = {
    .collective = Collective::reduce_scatter_block,
    .name = "staged",
    .summary =
        "All put their operands on the board; each combines its block of them in rank order.",
    .not_applicable_because = needs_blocks_of_a_slot,
    .parameters = {&board_piece_bytes, 1},
    .way = InNodeMemory{},
    .cost_text = "on each rank: a copy of p n, (p - 1) n combined",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::reduce_scatter_block
