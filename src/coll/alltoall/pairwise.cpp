#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/exchange_phases.hpp"

namespace tasuki::coll::alltoall {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  exchange_in_batches(builder, shape, 1);
  return builder.finish();
}

}  // namespace

extern const AlgorithmDescriptor pairwise = {
    .collective = Collective::alltoall,
    .uneven = Collective::alltoallv,
    .name = "pairwise",
    .summary =
        "In round d every rank sends d ahead and receives from d behind (see Thakur, Rabenseifner "
        "and Gropp 2005).",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, exchange_cost},
    .cost_text = "rounds: p - 1; elements: all that leave their rank",
};

}  // namespace tasuki::coll::alltoall
