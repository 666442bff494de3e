#include "coll/phases/allgather_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allgather {

extern const AlgorithmDescriptor linear = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "linear",
    .summary = "Everybody sends its block to everybody at once.",
    .way = BySchedule{allgather_by<linear_allgather>, all_blocks_cost<others>},
    .cost_text = "rounds: p - 1; elements: (p - 1) N; N = sum of all blocks",
};

extern const AlgorithmDescriptor two_proc = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "two_proc",
    .summary = "Two ranks exchange their blocks.",
    .not_applicable_because = needs_two_ranks,
    .way = BySchedule{allgather_by<linear_allgather>, all_blocks_cost<others>},
    .cost_text = "rounds: 1; elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::allgather
