#include "coll/phases/linear_phases.hpp"
#include "coll/shared_costs.hpp"

namespace tasuki::coll::reduce {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const bool is_root = shape.rank == shape.root;
  const Slice own{is_root && shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  Accumulator accumulator(builder, own, is_root ? Slice{Buffer::output, 0, shape.count} : own);
  linear_reduce(accumulator, shape.ranks, shape.rank, shape.root);
  if (is_root) accumulator.settle();
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::reduce,
    .name = "linear",
    .summary = "Everybody sends to the root, which combines in rank order.",
    .way = BySchedule{write, vector_cost<others>},
    .cost_text = "rounds: p - 1; elements: (p - 1) n",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::reduce
