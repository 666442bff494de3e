#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::allreduce {

extern const AlgorithmDescriptor staged_halves = {
    .collective = Collective::allreduce,
    .name = "staged_halves",
    .summary =
        "All put their operands on the board; each combines its share of them in rank order and "
        "puts the result there for the others (reduce-scatter and allgather).",
    .not_applicable_because = needs_blocks_of_a_slot,
    .parameters = {&board_piece_bytes, 1},
    .way = InNodeMemory{},
    .cost_text = "on each rank: 2 copies of n, (p - 1) n / p combined",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::allreduce
