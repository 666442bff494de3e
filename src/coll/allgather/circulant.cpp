#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"
#include "coll/phases/circulant_phases.hpp"

namespace tasuki::coll::allgather {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all = received_blocks(shape);
  place_self_block(builder, shape.rank, all);
  circulant_allgather(builder, {shape.ranks, shape.rank}, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {as_size(ceil_log(shapes.front().ranks)), (p - 1) * total_receive_count(shapes.front())};
}

}  // namespace

extern const AlgorithmDescriptor circulant = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "circulant",
    .summary = "Runs of blocks from ahead, at distances that halve p, rounding up (Traff 2024).",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: ceil(log2 p); elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::allgather
