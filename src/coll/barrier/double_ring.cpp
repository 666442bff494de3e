#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll::barrier {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const int p = shape.ranks;
  if (p == 1) return;
  const int next = (shape.rank + 1) % p;
  const int previous = wrapped(shape.rank - 1, p);
  for (int lap = 0; lap < 2; ++lap) {
    if (shape.rank != 0) builder.await_signal(previous);
    builder.next_round();
    const bool ends_here = lap == 1 && next == 0;
    if (!ends_here) builder.signal(next);
    builder.next_round();
    if (shape.rank == 0 && lap == 0) builder.await_signal(previous);
    builder.next_round();
  }
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  return {shapes.size() == 1 ? 0 : 2 * shapes.size() - 1, 0};
}

}  // namespace

extern const AlgorithmDescriptor double_ring = {
    .collective = Collective::barrier,
    .name = "double_ring",
    .summary = "A signal goes round the ring twice (Open MPI).",
    .way = BySchedule{write, cost},
    .cost_text = "rounds: 2 p - 1, none for p = 1",
};

}  // namespace tasuki::coll::barrier
