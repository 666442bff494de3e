#include <tasuki/coll/algorithm.hpp>

#include "coll/phases/blocks.hpp"

namespace tasuki::coll::scatter {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all = Blocks::equal(Buffer::input, shape.count);
  const Slice own{Buffer::output, 0, shape.count};
  if (shape.rank != shape.root) {
    builder.receive(shape.root, own);
    return builder.finish();
  }
  for (int step = 1; step < shape.ranks; ++step) {
    const int other = (shape.root + step) % shape.ranks;
    builder.send(other, all.of(other));
  }
  builder.copy(all.of(shape.rank), own);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  return {shapes.size() - 1, (shapes.size() - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::scatter,
    .name = "linear",
    .summary = "The root sends every rank its block.",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text = "rounds: p - 1; elements: (p - 1) n",
    .cost = cost,
};

}  // namespace tasuki::coll::scatter
