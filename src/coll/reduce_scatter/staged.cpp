#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::reduce_scatter {

extern const AlgorithmDescriptor staged = {
    .collective = Collective::reduce_scatter,
    .name = "staged",
    .summary =
        "All put their operands on the board; each combines its block of them in rank order.",
    .not_applicable_because = needs_blocks_of_a_slot,
    .parameters = {&board_piece_bytes, 1},
    .way = InNodeMemory{},
    .cost_text = "on each rank: a copy of all its blocks, those for it of the others combined",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::reduce_scatter
