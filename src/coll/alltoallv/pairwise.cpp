#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/exchange_phases.hpp"

namespace tasuki::coll::alltoallv {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  exchange_in_batches(
      builder, shape.ranks, shape.rank,
      Blocks::varying(Buffer::input, shape.send_counts, shape.send_displacements),
      Blocks::varying(Buffer::output, shape.receive_counts, shape.receive_displacements), 1);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  Cost total{shapes.size() - 1, 0};
  for (const Shape& shape : shapes) {
    for (int target = 0; target < shape.ranks; ++target) {
      if (target != shape.rank) total.elements += shape.send_counts[as_size(target)];
    }
  }
  return total;
}

}  // namespace

extern const AlgorithmDescriptor pairwise = {
    .collective = Collective::alltoallv,
    .name = "pairwise",
    .summary =
        "In round d every rank sends d ahead and receives from d behind (see Thakur, Rabenseifner "
        "and Gropp 2005).",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text = "rounds: p - 1; elements: all that leave their rank",
    .cost = cost,
};

}  // namespace tasuki::coll::alltoallv
