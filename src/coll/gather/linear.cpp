#include <tasuki/coll/algorithm.hpp>

#include "coll/phases/blocks.hpp"

namespace tasuki::coll::gather {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all = Blocks::equal(Buffer::output, shape.count);
  const Slice own{Buffer::input, 0, shape.count};
  if (shape.rank != shape.root) {
    builder.send(shape.root, own);
    return builder.finish();
  }
  for (int step = 1; step < shape.ranks; ++step) {
    const int other = (shape.root + step) % shape.ranks;
    builder.receive(other, all.of(other));
  }
  builder.copy(own, all.of(shape.rank));
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  return {shapes.size() - 1, (shapes.size() - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::gather,
    .name = "linear",
    .summary = "Every rank sends its block to the root.",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text = "rounds: p - 1; elements: (p - 1) n",
    .cost = cost,
};

}  // namespace tasuki::coll::gather
