#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::allgather {

extern const AlgorithmDescriptor single_copy = {
    Collective::allgather,
    "single_copy",
    "Each rank copies every block straight out of its rank's memory.",
    always_applicable,
    {},
    nullptr,
    "on each rank: p copies of n",
    nullptr,
    Medium::peer_memory};

}  // namespace tasuki::coll::allgather
