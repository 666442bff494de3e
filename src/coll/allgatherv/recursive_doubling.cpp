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
  recursive_doubling_allgather(builder, shape.ranks, shape.rank, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  const std::size_t total = total_receive_count(shapes.front());
  return {as_size(ceil_log(shapes.front().ranks)), (p - 1) * total};
}

}  // namespace

extern const AlgorithmDescriptor recursive_doubling = {
    .collective = Collective::allgatherv,
    .name = "recursive_doubling",
    .summary =
        "Runs of blocks that double are exchanged (see Thakur, Rabenseifner and Gropp 2005).",
    .not_applicable_because = needs_power_of_two,
    .make = make,
    .cost_text = "rounds: log2 p; elements: (p - 1) times the sum of all counts",
    .cost = cost,
};

}  // namespace tasuki::coll::allgatherv
