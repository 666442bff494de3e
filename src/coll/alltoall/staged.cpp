#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::alltoall {

extern const AlgorithmDescriptor staged = {
    .collective = Collective::alltoall,
    .name = "staged",
    .summary = "All put their blocks on the board, and each copies those that are for it.",
    .not_applicable_because = needs_blocks_of_a_slot,
    .parameters = {&board_piece_bytes, 1},
    .way = InNodeMemory{},
    .cost_text = "on each rank: 2 copies of (p - 1) n",
};

}  // namespace tasuki::coll::alltoall
