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
    Collective::alltoall,
    "linear_sync",
    "Like linear, but only so many messages at a time (Open MPI).",
    always_applicable,
    parameters,
    make,
    "rounds: p - 1; elements: p (p - 1) n",
    cost};

}  // namespace tasuki::coll::alltoall
