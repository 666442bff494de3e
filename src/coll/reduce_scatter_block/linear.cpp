#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/linear_phases.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  linear_reduce_scatter(builder, shape.ranks, shape.rank, operand_blocks(shape), result_of(shape));
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t others = shapes.size() - 1;
  return {others, others * total_receive_count(shapes.front())};
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "linear",
    .summary =
        "Everybody sends everybody its block, all at once, and combines what comes in rank order.",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: p - 1; elements: (p - 1) N; N = sum of all blocks",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::reduce_scatter_block
