#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/phases/linear_phases.hpp"

namespace tasuki::coll::reduce {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const bool is_root = shape.rank == shape.root;
  const Slice own{is_root && shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  Accumulator accumulator(builder, own, is_root ? Slice{Buffer::output, 0, shape.count} : own);
  linear_reduce(accumulator, shape.ranks, shape.rank, shape.root);
  if (is_root) accumulator.settle();
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  return {shapes.size() - 1, (shapes.size() - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::reduce,
    .name = "linear",
    .summary = "Everybody sends to the root, which combines in rank order.",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: p - 1; elements: (p - 1) n",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::reduce
