#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::broadcast {

extern const AlgorithmDescriptor single_copy = {
    .collective = Collective::broadcast,
    .name = "single_copy",
    .summary =
        "Every rank copies the data straight out of the root's memory (Chai, Lai, Jin and Panda "
        "2008).",
    .not_applicable_because = always_applicable,
    .way = InNodeMemory{.reads_peers = true},
    .cost_text = "p - 1 copies of n at the same time",
};

}  // namespace tasuki::coll::broadcast
