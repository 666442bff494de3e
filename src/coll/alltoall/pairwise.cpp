#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/exchange_phases.hpp"

namespace tasuki::coll::alltoall {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  exchange_in_batches(builder, shape.ranks, shape.rank, Blocks::equal(Buffer::input, shape.count),
                      Blocks::equal(Buffer::output, shape.count), 1);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {p - 1, p * (p - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor pairwise = {
    .collective = Collective::alltoall,
    .name = "pairwise",
    .summary =
        "In round d every rank sends d ahead and receives from d behind (see Thakur, Rabenseifner "
        "and Gropp 2005).",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text = "rounds: p - 1; elements: p (p - 1) n",
    .cost = cost,
};

}  // namespace tasuki::coll::alltoall
