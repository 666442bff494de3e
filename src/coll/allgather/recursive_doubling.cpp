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
  recursive_doubling_allgather(builder, shape.ranks, shape.rank, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {as_size(ceil_log(shapes.front().ranks)), (p - 1) * total_receive_count(shapes.front())};
}

}  // namespace

extern const AlgorithmDescriptor recursive_doubling = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "recursive_doubling",
    .summary =
        "Runs of blocks that double are exchanged (see Thakur, Rabenseifner and Gropp 2005).",
    .not_applicable_because = needs_power_of_two,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: log2 p; elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::allgather
