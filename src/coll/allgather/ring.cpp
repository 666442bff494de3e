#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"
#include "coll/phases/ring_phases.hpp"

namespace tasuki::coll::allgather {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all = Blocks::equal(Buffer::output, shape.count);
  place_own_block(builder, shape.rank, all);
  ring_allgather(builder, {shape.ranks, shape.rank}, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {p - 1, p * (p - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor ring = {
    .collective = Collective::allgather,
    .name = "ring",
    .summary = "Blocks go round the ring (see Thakur, Rabenseifner and Gropp 2005).",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text = "rounds: p - 1; elements: p (p - 1) n",
    .cost = cost,
};

}  // namespace tasuki::coll::allgather
