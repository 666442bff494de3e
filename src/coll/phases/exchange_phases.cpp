#include "coll/phases/exchange_phases.hpp"

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

void exchange_in_batches(ScheduleBuilder& builder, const Shape& shape, int batch) {
  const int ranks = shape.ranks;
  const int rank = shape.rank;
  const Blocks from = sent_blocks(shape);
  const Blocks to = received_blocks(shape);
  builder.copy(from.of(rank), to.of(rank));
  for (int distance = 1; distance < ranks; ++distance) {
    if ((distance - 1) % batch == 0) builder.next_round();
    const int target = (rank + distance) % ranks;
    const int source = wrapped(rank - distance, ranks);
    builder.send(target, from.of(target));
    builder.receive(source, to.of(source));
  }
  builder.next_round();
}

Cost exchange_cost(std::span<const Shape> shapes, const Parameters&) {
  Cost total{shapes.size() - 1, 0};
  for (const Shape& shape : shapes) {
    const Blocks from = sent_blocks(shape);
    for (int target = 0; target < shape.ranks; ++target) {
      if (target != shape.rank) total.elements += from.count(target);
    }
  }
  return total;
}

}  // namespace tasuki::coll
