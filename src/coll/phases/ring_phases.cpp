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

}  // namespace tasuki::coll
