#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::broadcast {

extern const AlgorithmDescriptor single_copy = {
    Collective::broadcast,
    "single_copy",
    "Every rank copies the data straight out of the root's memory (Chai, Lai, Jin and Panda 2008).",
    always_applicable,
    {},
    nullptr,
    "p - 1 copies of n at the same time",
    nullptr,
    Medium::peer_memory};

}  // namespace tasuki::coll::broadcast
