#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/exchange_phases.hpp"

namespace tasuki::coll {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"outstanding", 4, 1, 1 << 20, "ranks that a rank sends to and receives from at a time"}};

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  exchange_in_batches(builder, shape, static_cast<int>(given.get("outstanding")));
  return builder.finish();
}

constexpr AlgorithmDescriptor in_batches(Collective collective, const char* name,
                                         const char* summary) {
  return {.collective = collective,
          .name = name,
          .summary = summary,
          .not_applicable_because = always_applicable,
          .parameters = parameters,
          .way = BySchedule{make, exchange_cost},
          .cost_text = "rounds: p - 1; elements: all that leave their rank"};
}

}  // namespace

namespace alltoall {
extern const AlgorithmDescriptor linear_sync =
    in_batches(Collective::alltoall, "linear_sync",
               "Like linear, but only so many messages at a time (Open MPI).");
}
namespace alltoallv {
extern const AlgorithmDescriptor scattered =
    in_batches(Collective::alltoallv, "scattered",
               "Like linear, but only so many messages at a time (MPICH's scattered, throttled).");
}

}  // namespace tasuki::coll
