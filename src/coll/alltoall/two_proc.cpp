#include <tasuki/coll/algorithm.hpp>

#include "coll/phases/exchange_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::alltoall {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  exchange_in_batches(builder, shape.ranks, shape.rank, Blocks::equal(Buffer::input, shape.count),
                      Blocks::equal(Buffer::output, shape.count), 1);
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
    .make = make,
    .cost_text = "rounds: 1; elements: 2 n",
    .cost = cost,
};

}  // namespace tasuki::coll::alltoall
