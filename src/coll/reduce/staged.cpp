#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::reduce {

extern const AlgorithmDescriptor staged = {
    Collective::reduce,
    "staged",
    "All put their operands on the board; the root combines them in rank order.",
    needs_elements_of_a_slot,
    {&board_piece_bytes, 1},
    nullptr,
    "a copy of n on each rank; (p - 1) n combined by the root",
    nullptr,
    Medium::shared_memory,
    Order::ranks};

}  // namespace tasuki::coll::reduce
