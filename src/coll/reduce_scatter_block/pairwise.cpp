#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/reduce_scatter_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  pairwise_reduce_scatter(builder, shape);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  const std::size_t total = total_receive_count(shapes.front());
  return {p - 1, (p - 1) * total};
}

}  // namespace

extern const AlgorithmDescriptor pairwise = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "pairwise",
    .summary =
        "In round d every rank sends the block of the rank d ahead (see Thakur, Rabenseifner and "
        "Gropp 2005).",
    .not_applicable_because = needs_commutative,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: p - 1; elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::reduce_scatter_block
