#include <tasuki/detail/coll/algorithm.hpp>

namespace tasuki::coll::barrier {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  if (shape.rank != 0) {
    builder.signal(0);
    builder.next_round();
    builder.await_signal(0);
    return;
  }
  for (int other = 1; other < shape.ranks; ++other) builder.await_signal(other);
  builder.next_round();
  for (int other = 1; other < shape.ranks; ++other) builder.signal(other);
}

Cost cost(std::span<const Shape> shapes, const Parameters&) { return {2 * (shapes.size() - 1), 0}; }

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::barrier,
    .name = "linear",
    .summary = "Everybody signals rank 0, which signals everybody.",
    .way = BySchedule{write, cost},
    .cost_text = "rounds: 2 (p - 1)",
};

}  // namespace tasuki::coll::barrier
