#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/schedule_builder.hpp>

#include "coll/phases/blocks.hpp"

namespace tasuki::coll::scatterv {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Slice own{Buffer::output, 0, shape.count};
  if (shape.rank != shape.root) {
    builder.receive(shape.root, own);
    return builder.finish();
  }
  const Blocks all = Blocks::varying(Buffer::input, shape.send_counts, shape.send_displacements);
  for (int step = 1; step < shape.ranks; ++step) {
    const int target = (shape.root + step) % shape.ranks;
    builder.send(target, all.of(target));
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
    .collective = Collective::scatterv,
    .name = "linear",
    .summary = "The root sends every rank its block.",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text = "rounds: p - 1; elements: all but the root's",
    .cost = cost,
};

}  // namespace tasuki::coll::scatterv
