#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"

namespace tasuki::coll::allgather {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all = received_blocks(shape);
  place_self_block(builder, shape.rank, all);
  linear_allgather(builder, shape.ranks, shape.rank, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {p - 1, (p - 1) * total_receive_count(shapes.front())};
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "linear",
    .summary = "Everybody sends its block to everybody at once.",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: p - 1; elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::allgather
