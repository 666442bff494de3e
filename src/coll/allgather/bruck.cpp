#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/bruck_phases.hpp"

namespace tasuki::coll::allgather {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"radix", 2, 2, 64, "what a rank knows grows by this factor per round"}};

int radix_of(const Parameters& given) { return static_cast<int>(given.get("radix")); }

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  const Blocks all = received_blocks(shape);
  builder.copy({Buffer::input, 0, all.count(shape.rank)}, all.of(shape.rank));
  bruck_allgather(builder, shape.ranks, shape.rank, radix_of(given), all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const std::size_t p = shapes.size();
  Cost total{0, (p - 1) * total_receive_count(shapes.front())};
  for_each_bruck_hop(static_cast<int>(p), radix_of(given), [&](int, int, bool) { ++total.rounds; });
  return total;
}

}  // namespace

extern const AlgorithmDescriptor bruck = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "bruck",
    .summary =
        "Runs of blocks that grow by the radix come from ahead (Bruck, Ho, Kipnis, Upfal and "
        "Weathersby 1997).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: ceil(log2 p) for radix 2, about (radix - 1) log_radix p; elements: (p - 1) N; N = "
        "sum of all blocks",
};

}  // namespace tasuki::coll::allgather
