#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/reduce_scatter_phases.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  reduce_then_scatter(builder, shape);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  const std::size_t total = total_receive_count(shapes.front());
  return {as_size(ceil_log(shapes.front().ranks)) + p - 1,
          (p - 1) * total + total - operand_blocks(shapes.front()).count(0)};
}

}  // namespace

extern const AlgorithmDescriptor nonoverlapping = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "nonoverlapping",
    .summary = "A binomial reduce to rank 0, which sends everybody its block.",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: ceil(log2 p) + p - 1; elements: (p - 1) N and all blocks but the first; N = sum "
        "of all blocks",
};

}  // namespace tasuki::coll::reduce_scatter_block
