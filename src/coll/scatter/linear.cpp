#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/phases/blocks.hpp"

namespace tasuki::coll::scatter {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Slice own{Buffer::output, 0, shape.count};
  if (shape.rank != shape.root) {
    builder.receive(shape.root, own);
    return builder.finish();
  }
  const Blocks all = sent_blocks(shape);
  for (int step = 1; step < shape.ranks; ++step) {
    const int other = (shape.root + step) % shape.ranks;
    builder.send(other, all.of(other));
  }
  builder.copy(all.of(shape.rank), own);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  Cost total{shapes.size() - 1, 0};
  for (const Shape& shape : shapes) total.elements += shape.rank == shape.root ? 0 : shape.count;
  return total;
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::scatter,
    .uneven = Collective::scatterv,
    .name = "linear",
    .summary = "The root sends every rank its block.",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: p - 1; elements: all blocks but the root's",
};

}  // namespace tasuki::coll::scatter
