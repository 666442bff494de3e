#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/phases/blocks.hpp"

namespace tasuki::coll::gather {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Slice own{Buffer::input, 0, shape.count};
  if (shape.rank != shape.root) {
    builder.send(shape.root, own);
    return builder.finish();
  }
  const Blocks all = received_blocks(shape);
  for (int step = 1; step < shape.ranks; ++step) {
    const int other = (shape.root + step) % shape.ranks;
    builder.receive(other, all.of(other));
  }
  builder.copy(own, all.of(shape.rank));
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  Cost total{shapes.size() - 1, 0};
  for (const Shape& shape : shapes) total.elements += shape.rank == shape.root ? 0 : shape.count;
  return total;
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::gather,
    .uneven = Collective::gatherv,
    .name = "linear",
    .summary = "Every rank sends its block to the root.",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: p - 1; elements: all blocks but the root's",
};

}  // namespace tasuki::coll::gather
