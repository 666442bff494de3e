#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::allreduce {

extern const AlgorithmDescriptor staged = {
    Collective::allreduce,
    "staged",
    "All put their operands on the board, and each combines all of them in rank order.",
    needs_elements_of_a_slot,
    {&board_piece_bytes, 1},
    nullptr,
    "on each rank: a copy of n, (p - 1) n combined",
    nullptr,
    Medium::shared_memory,
    Order::ranks};

}  // namespace tasuki::coll::allreduce
