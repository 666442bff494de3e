#include "coll/phases/tree_phases.hpp"
#include "coll/shared_costs.hpp"

namespace tasuki::coll::allreduce {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const TreeNode node = knomial_tree(shape.ranks, shape.rank, 0, 2);
  Accumulator accumulator = whole_vector(builder, shape);
  knomial_reduce(accumulator, node);
  if (shape.rank == 0) accumulator.settle();
  builder.next_round();
  send_down(builder, node, accumulator.home());
}

}  // namespace

extern const AlgorithmDescriptor nonoverlapping = {
    .collective = Collective::allreduce,
    .name = "nonoverlapping",
    .summary = "A binomial reduce to rank 0, then a binomial broadcast.",
    .way = BySchedule{write, vector_cost<ceil_log2, 2>},
    .cost_text = "rounds: 2 ceil(log2 p); elements: 2 (p - 1) n",
};

}  // namespace tasuki::coll::allreduce
