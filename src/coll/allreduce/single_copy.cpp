#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::allreduce {

extern const AlgorithmDescriptor single_copy = {
    Collective::allreduce,
    "single_copy",
    "Each rank combines its share of the operands straight out of the others' memory, piece by "
    "piece, then copies the other "
    "shares from where they were combined (reduce-scatter and allgather).",
    always_applicable,
    {&board_piece_bytes, 1},
    nullptr,
    "on each rank: 2 (p - 1) n / p copied, (p - 1) n / p combined",
    nullptr,
    Medium::peer_memory,
    Order::ranks};

}  // namespace tasuki::coll::allreduce
