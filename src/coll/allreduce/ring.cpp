#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/ring_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allreduce {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const int p = shape.ranks;
  const Blocks own = Blocks::cut(Buffer::input, shape.count, p);
  const Blocks home = Blocks::cut(Buffer::output, shape.count, p);
  if (p == 1 && !shape.in_place) builder.copy(own.of(0), home.of(0));
  ring_reduce_scatter(builder, p, shape.rank, own, home, shape.in_place, 1);
  ring_allgather(builder, {p, shape.rank}, home, 1);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t others = shapes.size() - 1;
  return {2 * others, 2 * others * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor ring = {
    .collective = Collective::allreduce,
    .name = "ring",
    .summary = "Reduce-scatter and allgather around the ring, p blocks (Patarasuk and Yuan 2009).",
    .not_applicable_because = needs_commutative,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: 2 (p - 1); elements: 2 (p - 1) n",
};

}  // namespace tasuki::coll::allreduce
