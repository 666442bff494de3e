#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/phases/scan_phases.hpp"

namespace tasuki::coll {
namespace {

template <Prefix prefix>
Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  scan_linear(builder, shape, prefix);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  return {shapes.size() - 1, (shapes.size() - 1) * shapes.front().count};
}

template <Prefix prefix>
constexpr AlgorithmDescriptor linear_of(Collective collective) {
  return {.collective = collective,
          .name = "linear",
          .summary = "Each rank waits for the one before it.",
          .not_applicable_because = always_applicable,
          .way = BySchedule{make<prefix>, cost},
          .cost_text = "rounds: p - 1; elements: (p - 1) n",
          .order = Order::ranks};
}

}  // namespace

namespace scan {
extern const AlgorithmDescriptor linear = linear_of<Prefix::inclusive>(Collective::scan);
}
namespace exscan {
extern const AlgorithmDescriptor linear = linear_of<Prefix::exclusive>(Collective::exscan);
}

}  // namespace tasuki::coll
