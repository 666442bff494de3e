#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/phases/linear_phases.hpp"

namespace tasuki::coll::broadcast {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  linear_broadcast(builder, shape.ranks, shape.rank, shape.root, {Buffer::output, 0, shape.count});
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  return {shapes.size() - 1, (shapes.size() - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::broadcast,
    .name = "linear",
    .summary = "The root sends to everybody.",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: p - 1; elements: (p - 1) n",
};

}  // namespace tasuki::coll::broadcast
