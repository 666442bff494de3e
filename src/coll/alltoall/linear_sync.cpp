#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/exchange_phases.hpp"

namespace tasuki::coll::alltoall {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"outstanding", 4, 1, 1 << 20, "ranks that a rank sends to and receives from at a time"}};

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  exchange_in_batches(builder, shape.ranks, shape.rank, Blocks::equal(Buffer::input, shape.count),
                      Blocks::equal(Buffer::output, shape.count),
                      static_cast<int>(given.get("outstanding")));
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {p - 1, p * (p - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor linear_sync = {
    .collective = Collective::alltoall,
    .name = "linear_sync",
    .summary = "Like linear, but only so many messages at a time (Open MPI).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .make = make,
    .cost_text = "rounds: p - 1; elements: p (p - 1) n",
    .cost = cost,
};

}  // namespace tasuki::coll::alltoall
