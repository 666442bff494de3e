#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/tree_phases.hpp"

namespace tasuki::coll::allreduce {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const TreeNode node = knomial_tree(shape.ranks, shape.rank, 0, 2);
  Accumulator accumulator(builder, {Buffer::input, 0, shape.count},
                          {Buffer::output, 0, shape.count}, shape.in_place);
  knomial_reduce(accumulator, node);
  if (shape.rank == 0) accumulator.settle();
  builder.next_round();
  broadcast_along(builder, node, accumulator.home());
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const int p = shapes.front().ranks;
  return {2 * as_size(ceil_log(p)), 2 * as_size(p - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor nonoverlapping = {
    .collective = Collective::allreduce,
    .name = "nonoverlapping",
    .summary = "A binomial reduce to rank 0, then a binomial broadcast.",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: 2 ceil(log2 p); elements: 2 (p - 1) n",
};

}  // namespace tasuki::coll::allreduce
