#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/circulant_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allreduce {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const int p = shape.ranks;
  const Blocks own = Blocks::cut(Buffer::input, shape.count, p);
  const Blocks home = Blocks::cut(Buffer::output, shape.count, p);
  if (p == 1 && !shape.in_place) builder.copy(own.of(0), home.of(0));
  circulant_reduce_scatter(builder, p, shape.rank, own, home, shape.in_place);
  circulant_allgather(builder, {p, shape.rank}, home);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const int p = shapes.front().ranks;
  return {2 * as_size(ceil_log(p)), 2 * as_size(p - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor circulant = {
    .collective = Collective::allreduce,
    .name = "circulant",
    .summary =
        "Reduce-scatter and allgather on a circulant graph, fewest rounds and bytes for any p "
        "(Traff 2024).",
    .not_applicable_because = needs_commutative,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: 2 ceil(log2 p); elements: 2 (p - 1) n",
};

}  // namespace tasuki::coll::allreduce
