#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"

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
  return {p - 1, (p - 1) * total};
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::allgatherv,
    .name = "linear",
    .summary = "Everybody sends its block to everybody at once.",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text = "rounds: p - 1; elements: (p - 1) times the sum of all counts",
    .cost = cost,
};

}  // namespace tasuki::coll::allgatherv
