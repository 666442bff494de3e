#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::alltoall {

extern const AlgorithmDescriptor single_copy = {
    Collective::alltoall,
    "single_copy",
    "Each rank copies its block straight out of the memory of each other rank.",
    always_applicable,
    {},
    nullptr,
    "on each rank: p copies of n",
    nullptr,
    Medium::peer_memory};

}  // namespace tasuki::coll::alltoall
