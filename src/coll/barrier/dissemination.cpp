#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/bruck_hops.hpp"
#include "coll/patterns/numbers.hpp"
#include "coll/shared_parameters.hpp"

namespace tasuki::coll::barrier {
namespace {

constexpr ParameterDeclaration parameters[] = {
    radix(2, "ranks that know of each other grow by this factor per round")};

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const int p = shape.ranks;
  for (const BruckPhase& phase : bruck_phases(p, radix_of(given))) {
    for (const BruckHop& hop : phase) {
      builder.signal((shape.rank + hop.distance) % p);
      builder.await_signal(wrapped(shape.rank - hop.distance, p));
    }
    builder.next_round();
  }
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  return {bruck_hops_count(shapes.front().ranks, radix_of(given)), 0};
}

}  // namespace

extern const AlgorithmDescriptor dissemination = {
    .collective = Collective::barrier,
    .name = "dissemination",
    .summary =
        "Everybody signals ahead at distances growing by the radix (Hensgen, Finkel and Manber "
        "1988).",
    .parameters = parameters,
    .way = BySchedule{write, cost},
    .cost_text = "rounds: ceil(log2 p) for radix 2, about (radix - 1) log_radix p",
};

}  // namespace tasuki::coll::barrier
