#include "coll/phases/ring_phases.hpp"

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

void ring_allgather(ScheduleBuilder& builder, int ranks, int rank, const Blocks& all, int shift) {
  const int next = (rank + 1) % ranks;
  const int previous = wrapped(rank - 1, ranks);
  for (int step = 0; step + 1 < ranks; ++step) {
    builder.send(next, all.of(wrapped(rank + shift - step, ranks)));
    builder.receive(previous, all.of(wrapped(rank + shift - step - 1, ranks)));
    builder.next_round();
  }
}

void ring_reduce_scatter(ScheduleBuilder& builder, int ranks, int rank, const Blocks& own,
                         const Blocks& home, bool in_place) {
  const int next = (rank + 1) % ranks;
  const int previous = wrapped(rank - 1, ranks);
  Slice landing;
  for (int step = 0; step + 1 < ranks; ++step) {
    const int outgoing = wrapped(rank - step, ranks);
    const int incoming = wrapped(rank - step - 1, ranks);
    const Slice target = home.of(incoming);
    builder.send(next, step == 0 && !in_place ? own.of(outgoing) : home.of(outgoing));
    if (in_place) {
      if (landing.count < target.count) landing = builder.scratch(target.count);
      builder.receive(previous, landing.part(0, target.count));
      builder.reduce(landing.part(0, target.count), target);
    } else {
      builder.receive(previous, target);
      builder.reduce_right(own.of(incoming), target);
    }
    builder.next_round();
  }
}

}  // namespace tasuki::coll
