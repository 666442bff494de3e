#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::scatter {

extern const AlgorithmDescriptor single_copy = {
    .collective = Collective::scatter,
    .name = "single_copy",
    .summary = "Each rank copies its block straight out of the root's memory.",
    .not_applicable_because = always_applicable,
    .way = InNodeMemory{.reads_peers = true},
    .cost_text = "p copies of n at the same time",
};

}  // namespace tasuki::coll::scatter
