#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::gatherv {

extern const AlgorithmDescriptor single_copy = {
    .collective = Collective::gatherv,
    .name = "single_copy",
    .summary =
        "Blocks that fit a piece go over the board; the root copies longer ones straight out of "
        "their rank's memory.",
    .not_applicable_because = always_applicable,
    .parameters = {&uneven_piece_bytes, 1},
    .way = InNodeMemory{.reads_peers = true},
    .cost_text = "on the root: a copy of each block",
};

}  // namespace tasuki::coll::gatherv
