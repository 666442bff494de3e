#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/linear_phases.hpp"

namespace tasuki::coll::allreduce {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  Accumulator accumulator(builder, {Buffer::input, 0, shape.count},
                          {Buffer::output, 0, shape.count}, shape.in_place);
  linear_reduce(accumulator, shape.ranks, shape.rank, 0);
  if (shape.rank == 0) accumulator.settle();
  builder.next_round();
  linear_broadcast(builder, shape.ranks, shape.rank, 0, accumulator.home());
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t others = shapes.size() - 1;
  return {2 * others, 2 * others * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::allreduce,
    .name = "linear",
    .summary = "Everybody sends to rank 0, which sends the result to everybody.",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: 2 (p - 1); elements: 2 (p - 1) n",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::allreduce
