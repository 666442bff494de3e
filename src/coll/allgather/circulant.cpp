#include "coll/phases/allgather_phases.hpp"
#include "coll/phases/circulant_phases.hpp"

namespace tasuki::coll::allgather {

extern const AlgorithmDescriptor circulant = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "circulant",
    .summary = "Runs of blocks from ahead, at distances that halve p, rounding up (Traff 2024).",
    .way = BySchedule{allgather_by<circulant_allgather>, all_blocks_cost<ceil_log2>},
    .cost_text = "rounds: ceil(log2 p); elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::allgather
