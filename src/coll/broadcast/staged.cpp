#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::broadcast {

extern const AlgorithmDescriptor staged = {Collective::broadcast,
                                           "staged",
                                           "The root puts the data on the board, piece by piece, "
                                           "and all others copy them from there at the "
                                           "same time (Graham and Shipman 2008).",
                                           needs_elements_of_a_slot,
                                           {&board_piece_bytes, 1},
                                           nullptr,
                                           "p copies of n beside the first",
                                           nullptr,
                                           Medium::shared_memory};

}  // namespace tasuki::coll::broadcast
