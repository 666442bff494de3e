#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::gather {

extern const AlgorithmDescriptor single_copy = {
    .collective = Collective::gather,
    .name = "single_copy",
    .summary = "The root copies each block straight out of its rank's memory.",
    .not_applicable_because = always_applicable,
    .way = InNodeMemory{.reads_peers = true},
    .cost_text = "p copies of n by the root",
};

}  // namespace tasuki::coll::gather
