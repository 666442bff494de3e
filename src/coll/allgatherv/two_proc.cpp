#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allgatherv {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all =
      Blocks::varying(Buffer::output, shape.receive_counts, shape.receive_displacements);
  place_own_block(builder, shape.rank, all);
  linear_allgather(builder, shape.ranks, shape.rank, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  const std::size_t total = total_receive_count(shapes.front());
  return {1, (p - 1) * total};
}

}  // namespace

extern const AlgorithmDescriptor two_proc = {
    .collective = Collective::allgatherv,
    .name = "two_proc",
    .summary = "Two ranks exchange their blocks.",
    .not_applicable_because = needs_two_ranks,
    .make = make,
    .cost_text = "rounds: 1; elements: (p - 1) times the sum of all counts",
    .cost = cost,
};

}  // namespace tasuki::coll::allgatherv
