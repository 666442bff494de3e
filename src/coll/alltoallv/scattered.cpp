#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/exchange_phases.hpp"

namespace tasuki::coll::alltoallv {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"outstanding", 4, 1, 1 << 20, "ranks that a rank sends to and receives from at a time"}};

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  exchange_in_batches(
      builder, shape.ranks, shape.rank,
      Blocks::varying(Buffer::input, shape.send_counts, shape.send_displacements),
      Blocks::varying(Buffer::output, shape.receive_counts, shape.receive_displacements),
      static_cast<int>(given.get("outstanding")));
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  Cost total{shapes.size() - 1, 0};
  for (const Shape& shape : shapes) {
    for (int target = 0; target < shape.ranks; ++target) {
      if (target != shape.rank) total.elements += shape.send_counts[as_size(target)];
    }
  }
  return total;
}

}  // namespace

extern const AlgorithmDescriptor scattered = {
    .collective = Collective::alltoallv,
    .name = "scattered",
    .summary = "Like linear, but only so many messages at a time (MPICH's scattered, throttled).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .make = make,
    .cost_text = "rounds: p - 1; elements: all that leave their rank",
    .cost = cost,
};

}  // namespace tasuki::coll::alltoallv
