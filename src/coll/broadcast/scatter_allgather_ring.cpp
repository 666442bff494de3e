#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/ring_phases.hpp"
#include "coll/phases/scatter_allgather_phases.hpp"

namespace tasuki::coll::broadcast {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  scatter_for_broadcast(builder, shape);
  ring_allgather(builder, {shape.ranks, wrapped(shape.rank - shape.root, shape.ranks), shape.root},
                 Blocks::cut(Buffer::output, shape.count, shape.ranks));
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Shape& shape = shapes.front();
  return {as_size(ceil_log(shape.ranks)) + as_size(shape.ranks - 1),
          as_size(shape.ranks - 1) * shape.count + scatter_for_broadcast_elements(shape)};
}

}  // namespace

extern const AlgorithmDescriptor scatter_allgather_ring = {
    .collective = Collective::broadcast,
    .name = "scatter_allgather_ring",
    .summary =
        "A binomial scatter, then a ring allgather (van de Geijn 1994; see Thakur, Rabenseifner "
        "and Gropp 2005).",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: ceil(log2 p) + p - 1; elements: (p - 1) n + sum of the subtrees' blocks",
};

}  // namespace tasuki::coll::broadcast
