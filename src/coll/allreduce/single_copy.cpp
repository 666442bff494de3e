#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::allreduce {

extern const AlgorithmDescriptor single_copy = {
    .collective = Collective::allreduce,
    .name = "single_copy",
    .summary =
        "Each rank combines its share of the operands straight out of the others' memory, piece by "
        "piece, then copies the other shares from where they were combined (reduce-scatter and "
        "allgather).",
    .not_applicable_because = always_applicable,
    .parameters = {&board_piece_bytes, 1},
    .way = InNodeMemory{.reads_peers = true},
    .cost_text = "on each rank: 2 (p - 1) n / p copied, (p - 1) n / p combined",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::allreduce
