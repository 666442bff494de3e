#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allgather {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all = Blocks::equal(Buffer::output, shape.count);
  place_own_block(builder, shape.rank, all);
  neighbor_exchange_allgather(builder, shape.ranks, shape.rank, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {p / 2, p * (p - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor neighbor_exchange = {
    .collective = Collective::allgather,
    .name = "neighbor_exchange",
    .summary =
        "Pairs of blocks are exchanged with the two neighbours by turns (Chen, Yuan, Chen and Shen "
        "2005).",
    .not_applicable_because = needs_even_ranks,
    .make = make,
    .cost_text = "rounds: p / 2; elements: p (p - 1) n",
    .cost = cost,
};

}  // namespace tasuki::coll::allgather
