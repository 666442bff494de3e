#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::allreduce {

extern const AlgorithmDescriptor staged = {
    .collective = Collective::allreduce,
    .name = "staged",
    .summary = "All put their operands on the board, and each combines all of them in rank order.",
    .not_applicable_because = needs_elements_of_a_slot,
    .parameters = {&board_piece_bytes, 1},
    .way = InNodeMemory{},
    .cost_text = "on each rank: a copy of n, (p - 1) n combined",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::allreduce
