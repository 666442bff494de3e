#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/reduce_scatter_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  around_reduce_scatter(builder, shape);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  const std::size_t total = total_receive_count(shapes.front());
  return {p - 1, (p - 1) * total};
}

}  // namespace

extern const AlgorithmDescriptor ring = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "ring",
    .summary = "Partial results of blocks go round the ring (Open MPI; Patarasuk and Yuan 2009).",
    .not_applicable_because = needs_commutative,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: p - 1; elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::reduce_scatter_block
