#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/exchange_phases.hpp"

namespace tasuki::coll::alltoallv {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"outstanding", 4, 1, 1 << 20, "ranks that a rank sends to and receives from at a time"}};

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  exchange_in_batches(builder, shape, static_cast<int>(given.get("outstanding")));
  return builder.finish();
}

}  // namespace

extern const AlgorithmDescriptor scattered = {
    .collective = Collective::alltoallv,
    .name = "scattered",
    .summary = "Like linear, but only so many messages at a time (MPICH's scattered, throttled).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, exchange_cost},
    .cost_text = "rounds: p - 1; elements: all that leave their rank",
};

}  // namespace tasuki::coll::alltoallv
