#include "coll/phases/linear_phases.hpp"

#include <numeric>
#include <vector>

namespace tasuki::coll {

namespace {

std::vector<int> everybody(int ranks) {
  std::vector<int> members(as_size(ranks));
  std::iota(members.begin(), members.end(), 0);
  return members;
}

}  // namespace

void linear_reduce(Accumulator& accumulator, int ranks, int rank, int root) {
  if (rank != root) {
    accumulator.send(root);
    return;
  }
  accumulator.absorb_among(everybody(ranks), rank);
}

void linear_reduce_scatter(ScheduleBuilder& builder, int ranks, int rank, const Blocks& own,
                           Slice result) {
  for (int step = 1; step < ranks; ++step) {
    const int target = (rank + step) % ranks;
    builder.send(target, own.of(target));
  }
  Accumulator accumulator(builder, own.of(rank), result);
  accumulator.absorb_among(everybody(ranks), rank);
  accumulator.settle();
  builder.next_round();
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
