#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/shared_parameters.hpp"

namespace tasuki::coll::barrier {
namespace {

constexpr ParameterDeclaration parameters[] = {
    radix(2, "ranks that know of each other grow by this factor per round")};

/// In the phase with this distance a rank signals `distance`, 2 * `distance`, ... ahead.
template <class Visit>
void for_each_hop(int ranks, int radix, Visit visit) {
  for (long long distance = 1; distance < ranks; distance *= radix) {
    for (int digit = 1; digit < radix && digit * distance < ranks; ++digit) {
      visit(static_cast<int>(digit * distance), digit == 1);
    }
  }
}

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const int p = shape.ranks;
  for_each_hop(p, radix_of(given), [&](int hop, bool starts_phase) {
    if (starts_phase) builder.next_round();
    builder.signal((shape.rank + hop) % p);
    builder.await_signal(wrapped(shape.rank - hop, p));
  });
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  Cost total;
  for_each_hop(shapes.front().ranks, radix_of(given), [&](int, bool) { ++total.rounds; });
  return total;
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
