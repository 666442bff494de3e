#include "coll/phases/linear_phases.hpp"
#include "coll/shared_costs.hpp"

namespace tasuki::coll::allreduce {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  Accumulator accumulator = whole_vector(builder, shape);
  linear_reduce(accumulator, shape.ranks, shape.rank, 0);
  if (shape.rank == 0) accumulator.settle();
  builder.next_round();
  linear_broadcast(builder, shape.ranks, shape.rank, 0, accumulator.home());
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::allreduce,
    .name = "linear",
    .summary = "Everybody sends to rank 0, which sends the result to everybody.",
    .way = BySchedule{write, vector_cost<others, 2>},
    .cost_text = "rounds: 2 (p - 1); elements: 2 (p - 1) n",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::allreduce
