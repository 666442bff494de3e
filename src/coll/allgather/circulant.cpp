#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"
#include "coll/phases/circulant_phases.hpp"

namespace tasuki::coll::allgather {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all = Blocks::equal(Buffer::output, shape.count);
  place_own_block(builder, shape.rank, all);
  circulant_allgather(builder, {shape.ranks, shape.rank}, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {as_size(ceil_log(shapes.front().ranks)), p * (p - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor circulant = {
    .collective = Collective::allgather,
    .name = "circulant",
    .summary = "Runs of blocks from ahead, at distances that halve p, rounding up (Traff 2024).",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text = "rounds: ceil(log2 p); elements: p (p - 1) n",
    .cost = cost,
};

}  // namespace tasuki::coll::allgather
