#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::allgather {

extern const AlgorithmDescriptor single_copy = {
    .collective = Collective::allgather,
    .name = "single_copy",
    .summary = "Each rank copies every block straight out of its rank's memory.",
    .not_applicable_because = always_applicable,
    .way = InNodeMemory{.reads_peers = true},
    .cost_text = "on each rank: p copies of n",
};

}  // namespace tasuki::coll::allgather
