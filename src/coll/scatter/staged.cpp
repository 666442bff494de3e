#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::scatter {

extern const AlgorithmDescriptor staged = {
    .collective = Collective::scatter,
    .name = "staged",
    .summary = "The root puts all blocks on the board; each rank copies its own.",
    .not_applicable_because = needs_blocks_of_a_slot,
    .parameters = {&board_piece_bytes, 1},
    .way = InNodeMemory{},
    .cost_text = "a copy of p n by the root, of n on each rank",
};

}  // namespace tasuki::coll::scatter
