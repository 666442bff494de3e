#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::scatter {

extern const AlgorithmDescriptor single_copy = {
    Collective::scatter,
    "single_copy",
    "Each rank copies its block straight out of the root's memory.",
    always_applicable,
    {},
    nullptr,
    "p copies of n at the same time",
    nullptr,
    Medium::peer_memory};

}  // namespace tasuki::coll::scatter
