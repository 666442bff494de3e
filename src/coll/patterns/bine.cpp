#include "coll/patterns/bine.hpp"

#include <algorithm>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

BineButterfly::BineButterfly(int ranks) : ranks_(ranks), steps_(ceil_log(ranks)) {}

int BineButterfly::peer(int rank, int step) const {
  const int power = 1 << (step + 1);
  const int distance = (1 - (step % 2 == 0 ? -power : power)) / 3;
  return wrapped(rank % 2 == 0 ? rank + distance : rank - distance, ranks_);
}

// Ranks that still meet in the steps to come work on the same parts. Each such class, known by its
// smallest rank, is made of two that a step separates.
bool BineButterfly::takes_high(int rank, int step) const {
  return smallest_after(peer(rank, step), step) < smallest_after(rank, step);
}

// All distances after this step are the same modulo 2^(step + 2), so that an even number of them,
// forth and back, gives the multiples of that: as many as such classes have members.
int BineButterfly::smallest_after(int rank, int step) const {
  if (step + 1 == steps_) return rank;
  const int modulus = 1 << (step + 2);
  return std::min(rank % modulus, peer(rank, step + 1) % modulus);
}

}  // namespace tasuki::coll
