#include "coll/phases/exchange_phases.hpp"

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

void exchange_in_batches(ScheduleBuilder& builder, int ranks, int rank, const Blocks& from,
                         const Blocks& to, int batch) {
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

}  // namespace tasuki::coll
