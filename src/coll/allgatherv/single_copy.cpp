#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::allgatherv {

extern const AlgorithmDescriptor single_copy = {
    .collective = Collective::allgatherv,
    .name = "single_copy",
    .summary = "Each rank copies every block straight out of its rank's memory.",
    .not_applicable_because = always_applicable,
    .cost_text = "on each rank: a copy of each block",
    .medium = Medium::peer_memory,
};

}  // namespace tasuki::coll::allgatherv
