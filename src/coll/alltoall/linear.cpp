#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/exchange_phases.hpp"

namespace tasuki::coll::alltoall {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  exchange_in_batches(builder, shape.ranks, shape.rank, Blocks::equal(Buffer::input, shape.count),
                      Blocks::equal(Buffer::output, shape.count), shape.ranks);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {p - 1, p * (p - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::alltoall,
    .name = "linear",
    .summary = "Everybody sends everything at once, beginning with the next rank.",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text = "rounds: p - 1; elements: p (p - 1) n",
    .cost = cost,
};

}  // namespace tasuki::coll::alltoall
