#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"

namespace tasuki::coll::allgather {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all = Blocks::equal(Buffer::output, shape.count);
  place_own_block(builder, shape.rank, all);
  sparbit_allgather(builder, shape.ranks, shape.rank, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {as_size(ceil_log(shapes.front().ranks)), p * (p - 1) * shapes.front().count, any_ports};
}

}  // namespace

extern const AlgorithmDescriptor sparbit = {
    .collective = Collective::allgather,
    .name = "sparbit",
    .summary =
        "Blocks go down binomial trees from their owners, all at once, at halving distances (Loch "
        "and Koslovski 2021).",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text = "rounds: ceil(log2 p) with enough ports; elements: p (p - 1) n",
    .cost = cost,
};

}  // namespace tasuki::coll::allgather
