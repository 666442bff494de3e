#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::allreduce {

extern const AlgorithmDescriptor staged_halves = {
    Collective::allreduce,
    "staged_halves",
    "All put their operands on the board; each combines its share of them in rank order and puts "
    "the "
    "result there for the others (reduce-scatter and allgather).",
    needs_blocks_of_a_slot,
    {&board_piece_bytes, 1},
    nullptr,
    "on each rank: 2 copies of n, (p - 1) n / p combined",
    nullptr,
    Medium::shared_memory,
    Order::ranks};

}  // namespace tasuki::coll::allreduce
