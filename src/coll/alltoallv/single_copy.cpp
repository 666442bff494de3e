#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::alltoallv {

extern const AlgorithmDescriptor single_copy = {
    .collective = Collective::alltoallv,
    .name = "single_copy",
    .summary =
        "Blocks that fit a piece go over the board; each rank copies longer ones straight out of "
        "the memory of the others.",
    .not_applicable_because = needs_shares_of_a_slot,
    .parameters = {&uneven_piece_bytes, 1},
    .way = InNodeMemory{.reads_peers = true},
    .cost_text = "on each rank: a copy of each block, two of the short ones",
};

}  // namespace tasuki::coll::alltoallv
