#include "coll/phases/ring_phases.hpp"

namespace tasuki::coll {

void ring_allgather(ScheduleBuilder& builder, const Circle& circle, const Blocks& all) {
  for (int step = 0; step + 1 < circle.size; ++step) {
    const int newest = circle.number - step;
    builder.send(circle.rank_at(1), all.of(wrapped(newest, circle.size)));
    builder.receive(circle.rank_at(-1), all.of(wrapped(newest - 1, circle.size)));
    builder.next_round();
  }
}

void ring_reduce_scatter(ScheduleBuilder& builder, const Circle& circle, const Blocks& own,
                         const Blocks& home, bool in_place) {
  Slice posted_receive;
  for (int step = 0; step + 1 < circle.size; ++step) {
    const int outgoing = wrapped(circle.number - 1 - step, circle.size);
    const int incoming = wrapped(circle.number - 2 - step, circle.size);
    const Slice target = home.of(incoming);
    builder.send(circle.rank_at(1), (step == 0 && !in_place ? own : home).of(outgoing));
    if (in_place) {
      if (posted_receive.count < target.count) posted_receive = builder.scratch(target.count);
      builder.receive(circle.rank_at(-1), posted_receive.part(0, target.count));
      builder.reduce(posted_receive.part(0, target.count), target);
    } else {
      builder.receive(circle.rank_at(-1), target);
      builder.reduce_right(own.of(incoming), target);
    }
    builder.next_round();
  }
}

}  // namespace tasuki::coll
