#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::gather {

extern const AlgorithmDescriptor single_copy = {
    Collective::gather,
    "single_copy",
    "The root copies each block straight out of its rank's memory.",
    always_applicable,
    {},
    nullptr,
    "p copies of n by the root",
    nullptr,
    Medium::peer_memory};

}  // namespace tasuki::coll::gather
