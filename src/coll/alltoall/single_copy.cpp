#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::alltoall {

extern const AlgorithmDescriptor single_copy = {
    .collective = Collective::alltoall,
    .name = "single_copy",
    .summary = "Each rank copies its block straight out of the memory of each other rank.",
    .not_applicable_because = always_applicable,
    .way = InNodeMemory{.reads_peers = true},
    .cost_text = "on each rank: p copies of n",
};

}  // namespace tasuki::coll::alltoall
