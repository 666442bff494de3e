#include "coll/phases/linear_phases.hpp"
#include "coll/shared_costs.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  linear_reduce_scatter(builder, shape.ranks, shape.rank, operand_blocks(shape), result_of(shape));
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "linear",
    .summary =
        "Everybody sends everybody its block, all at once, and combines what comes in rank order.",
    .way = BySchedule{write, all_blocks_cost<others>},
    .cost_text = "rounds: p - 1; elements: (p - 1) N; N = sum of all blocks",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::reduce_scatter_block
