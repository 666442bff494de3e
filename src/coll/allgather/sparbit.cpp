#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"

namespace tasuki::coll::allgather {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all = received_blocks(shape);
  place_self_block(builder, shape.rank, all);
  sparbit_allgather(builder, shape.ranks, shape.rank, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {as_size(ceil_log(shapes.front().ranks)), (p - 1) * total_receive_count(shapes.front()),
          any_ports};
}

}  // namespace

extern const AlgorithmDescriptor sparbit = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "sparbit",
    .summary =
        "Blocks go down binomial trees from their owners, all at once, at halving distances (Loch "
        "and Koslovski 2021).",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: ceil(log2 p) with enough ports; elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::allgather
