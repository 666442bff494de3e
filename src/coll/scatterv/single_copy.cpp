#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::scatterv {

extern const AlgorithmDescriptor single_copy = {
    .collective = Collective::scatterv,
    .name = "single_copy",
    .summary =
        "Blocks that fit a piece go over the board; each rank copies a longer one straight out of "
        "the root's memory.",
    .not_applicable_because = needs_shares_of_a_slot,
    .parameters = {&uneven_piece_bytes, 1},
    .way = InNodeMemory{.reads_peers = true},
    .cost_text = "on each rank: a copy of its block; on the root: of the short ones",
};

}  // namespace tasuki::coll::scatterv
