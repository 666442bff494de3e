#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/phases/scan_phases.hpp"

namespace tasuki::coll::scan {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  scan_linear(builder, shape, Prefix::inclusive);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  return {shapes.size() - 1, (shapes.size() - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::scan,
    .name = "linear",
    .summary = "Each rank waits for the one before it.",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: p - 1; elements: (p - 1) n",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::scan
