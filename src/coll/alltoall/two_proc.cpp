#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/phases/exchange_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::alltoall {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  exchange_in_batches(builder, shape, 1);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  return {1, 2 * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor two_proc = {
    .collective = Collective::alltoall,
    .name = "two_proc",
    .summary = "Two ranks exchange their blocks.",
    .not_applicable_because = needs_two_ranks,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: 1; elements: 2 n",
};

}  // namespace tasuki::coll::alltoall
