#include "coll/phases/allgather_phases.hpp"
#include "coll/phases/ring_phases.hpp"

namespace tasuki::coll::allgather {

extern const AlgorithmDescriptor ring = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "ring",
    .summary = "Blocks go round the ring (see Thakur, Rabenseifner and Gropp 2005).",
    .way = BySchedule{allgather_by<ring_allgather>, all_blocks_cost<others>},
    .cost_text = "rounds: p - 1; elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::allgather
