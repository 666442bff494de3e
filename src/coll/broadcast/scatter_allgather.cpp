#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/circulant_phases.hpp"
#include "coll/phases/scatter_allgather_phases.hpp"

namespace tasuki::coll::broadcast {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  scatter_for_broadcast(builder, shape);
  circulant_allgather(builder,
                      {shape.ranks, wrapped(shape.rank - shape.root, shape.ranks), shape.root},
                      Blocks::cut(Buffer::output, shape.count, shape.ranks));
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Shape& shape = shapes.front();
  return {as_size(ceil_log(shape.ranks)) + as_size(ceil_log(shape.ranks)),
          as_size(shape.ranks - 1) * shape.count + scatter_for_broadcast_elements(shape)};
}

}  // namespace

extern const AlgorithmDescriptor scatter_allgather = {
    .collective = Collective::broadcast,
    .name = "scatter_allgather",
    .summary =
        "A binomial scatter, then an allgather in ceil(log2 p) rounds on a circulant graph (van de "
        "Geijn 1994; Traff 2024).",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: 2 ceil(log2 p); elements: (p - 1) n + sum of the subtrees' blocks",
};

}  // namespace tasuki::coll::broadcast
