#include "coll/phases/ring_phases.hpp"

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

void ring_allgather(ScheduleBuilder& builder, const Circle& circle, const Blocks& all, int shift) {
  for (int step = 0; step + 1 < circle.size; ++step) {
    const int newest = circle.number + shift - step;
    builder.send(circle.rank_at(1), all.of(wrapped(newest, circle.size)));
    builder.receive(circle.rank_at(-1), all.of(wrapped(newest - 1, circle.size)));
    builder.next_round();
  }
}

void ring_reduce_scatter(ScheduleBuilder& builder, int ranks, int rank, const Blocks& own,
                         const Blocks& home, bool in_place, int shift) {
  const int next = (rank + 1) % ranks;
  const int previous = wrapped(rank - 1, ranks);
  Slice posted_receive;
  for (int step = 0; step + 1 < ranks; ++step) {
    const int outgoing = wrapped(rank + shift - 1 - step, ranks);
    const int incoming = wrapped(rank + shift - 2 - step, ranks);
    const Slice target = home.of(incoming);
    builder.send(next, step == 0 && !in_place ? own.of(outgoing) : home.of(outgoing));
    if (in_place) {
      if (posted_receive.count < target.count) posted_receive = builder.scratch(target.count);
      builder.receive(previous, posted_receive.part(0, target.count));
      builder.reduce(posted_receive.part(0, target.count), target);
    } else {
      builder.receive(previous, target);
      builder.reduce_right(own.of(incoming), target);
    }
    builder.next_round();
  }
}

}  // namespace tasuki::coll
