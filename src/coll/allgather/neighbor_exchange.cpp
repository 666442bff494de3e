#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allgather {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all = received_blocks(shape);
  place_self_block(builder, shape.rank, all);
  neighbor_exchange_allgather(builder, shape.ranks, shape.rank, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {p / 2, (p - 1) * total_receive_count(shapes.front())};
}

}  // namespace

extern const AlgorithmDescriptor neighbor_exchange = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "neighbor_exchange",
    .summary =
        "Pairs of blocks are exchanged with the two neighbours alternately (Chen, Yuan, Chen and "
        "Shen "
        "2005).",
    .not_applicable_because = needs_even_ranks,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: p / 2; elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::allgather
