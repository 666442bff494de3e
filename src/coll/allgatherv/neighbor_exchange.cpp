#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allgatherv {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all =
      Blocks::varying(Buffer::output, shape.receive_counts, shape.receive_displacements);
  place_own_block(builder, shape.rank, all);
  neighbor_exchange_allgather(builder, shape.ranks, shape.rank, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  const std::size_t total = total_receive_count(shapes.front());
  return {p / 2, (p - 1) * total};
}

}  // namespace

extern const AlgorithmDescriptor neighbor_exchange = {
    .collective = Collective::allgatherv,
    .name = "neighbor_exchange",
    .summary =
        "Pairs of blocks are exchanged with the two neighbours by turns (Chen, Yuan, Chen and Shen "
        "2005).",
    .not_applicable_because = needs_even_ranks,
    .make = make,
    .cost_text = "rounds: p / 2; elements: (p - 1) times the sum of all counts",
    .cost = cost,
};

}  // namespace tasuki::coll::allgatherv
