#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"
#include "coll/phases/linear_phases.hpp"

namespace tasuki::coll::allreduce {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Buffer source = shape.in_place ? Buffer::output : Buffer::input;
  const Blocks own = Blocks::cut(source, shape.count, shape.ranks);
  const Blocks home = Blocks::cut(Buffer::output, shape.count, shape.ranks);
  linear_reduce_scatter(builder, shape.ranks, shape.rank, own, home.of(shape.rank));
  linear_allgather(builder, shape.ranks, shape.rank, home);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t others = shapes.size() - 1;
  return {2 * others, 2 * others * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor sra_linear = {
    .collective = Collective::allreduce,
    .name = "sra_linear",
    .summary =
        "Everybody sends everybody its share, combines its own in rank order, and sends the result "
        "to everybody (reduce-scatter and allgather in one step each).",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: 2 (p - 1); elements: 2 (p - 1) n",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::allreduce
