#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"

namespace tasuki::coll::allgatherv {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all =
      Blocks::varying(Buffer::output, shape.receive_counts, shape.receive_displacements);
  place_own_block(builder, shape.rank, all);
  sparbit_allgather(builder, shape.ranks, shape.rank, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  const std::size_t total = total_receive_count(shapes.front());
  return {as_size(ceil_log(shapes.front().ranks)), (p - 1) * total, any_ports};
}

}  // namespace

extern const AlgorithmDescriptor sparbit = {
    .collective = Collective::allgatherv,
    .name = "sparbit",
    .summary =
        "Blocks go down binomial trees from their owners, all at once, at halving distances (Loch "
        "and Koslovski 2021).",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text =
        "rounds: ceil(log2 p) with enough ports; elements: (p - 1) times the sum of all counts",
    .cost = cost,
};

}  // namespace tasuki::coll::allgatherv
