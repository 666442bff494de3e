#include "coll/phases/allgather_phases.hpp"

namespace tasuki::coll {

void linear_allgather(ScheduleBuilder& builder, const Circle& circle, const Blocks& all) {
  for (int distance = 1; distance < circle.size; ++distance) {
    const int source = circle.rank_at(-distance);
    builder.send(circle.rank_at(distance), all.of(circle.number));
    builder.receive(source, all.of(source));
  }
  builder.next_round();
}

void write_allgather(ScheduleBuilder& builder, const Shape& shape, AllgatherPhase phase) {
  const Blocks all = received_blocks(shape);
  builder.copy({Buffer::input, 0, all.count(shape.rank)}, all.of(shape.rank));
  builder.next_round();
  phase(builder, {shape.ranks, shape.rank}, all);
}

}  // namespace tasuki::coll
