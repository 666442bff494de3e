#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::scan {

extern const AlgorithmDescriptor staged = {Collective::scan,
                                           "staged",
                                           "All put their operands on the board; each combines "
                                           "those of the ranks up to its own, in order.",
                                           needs_elements_of_a_slot,
                                           {&board_piece_bytes, 1},
                                           nullptr,
                                           "on each rank: a copy of n, at most (p - 1) n combined",
                                           nullptr,
                                           Medium::shared_memory,
                                           Order::ranks};

}  // namespace tasuki::coll::scan
