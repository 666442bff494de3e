#include "coll/phases/linear_phases.hpp"

#include <numeric>
#include <vector>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

void linear_reduce(Accumulator& accumulator, int ranks, int rank, int root) {
  if (rank != root) {
    accumulator.send(root);
    return;
  }
  std::vector<int> everybody(as_size(ranks));
  std::iota(everybody.begin(), everybody.end(), 0);
  accumulator.absorb_among(everybody, rank);
}

void linear_broadcast(ScheduleBuilder& builder, int ranks, int rank, int root, Slice data) {
  if (rank != root) {
    builder.receive(root, data);
  } else {
    for (int step = 1; step < ranks; ++step) builder.send((root + step) % ranks, data);
  }
  builder.next_round();
}

}  // namespace tasuki::coll
