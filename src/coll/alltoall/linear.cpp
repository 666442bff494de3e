#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/exchange_phases.hpp"

namespace tasuki::coll::alltoall {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  exchange_in_batches(builder, shape, shape.ranks);
  return builder.finish();
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::alltoall,
    .uneven = Collective::alltoallv,
    .name = "linear",
    .summary = "Everybody sends everything at once, beginning with the next rank.",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, exchange_cost},
    .cost_text = "rounds: p - 1; elements: all that leave their rank",
};

}  // namespace tasuki::coll::alltoall
