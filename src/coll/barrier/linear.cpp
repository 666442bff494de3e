#include <tasuki/detail/coll/algorithm.hpp>
#include <tasuki/detail/coll/schedule_builder.hpp>

namespace tasuki::coll::barrier {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  if (shape.rank != 0) {
    builder.signal(0);
    builder.next_round();
    builder.await_signal(0);
    return builder.finish();
  }
  for (int other = 1; other < shape.ranks; ++other) builder.await_signal(other);
  builder.next_round();
  for (int other = 1; other < shape.ranks; ++other) builder.signal(other);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) { return {2 * (shapes.size() - 1), 0}; }

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::barrier,
    .name = "linear",
    .summary = "Everybody signals rank 0, which signals everybody.",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: 2 (p - 1)",
};

}  // namespace tasuki::coll::barrier
