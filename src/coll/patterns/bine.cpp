#include "coll/patterns/bine.hpp"

#include <algorithm>
#include <numeric>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

BineButterfly::BineButterfly(int ranks)
    : ranks_(ranks), takes_high_(as_size(ceil_log(ranks)), std::vector<bool>(as_size(ranks))) {
  // Ranks that still meet in the steps to come work on the same parts. Each such class, known by
  // its smallest rank, is made of two that a step separates.
  std::vector<int> smallest(as_size(ranks));
  std::iota(smallest.begin(), smallest.end(), 0);
  for (int step = steps() - 1; step >= 0; --step) {
    std::vector<int> joined(smallest.size());
    for (int rank = 0; rank < ranks; ++rank) {
      const int mine = smallest[as_size(rank)];
      const int theirs = smallest[as_size(peer(rank, step))];
      takes_high_[as_size(step)][as_size(rank)] = theirs < mine;
      joined[as_size(rank)] = std::min(mine, theirs);
    }
    smallest = joined;
  }
}

int BineButterfly::peer(int rank, int step) const {
  const int power = 1 << (step + 1);
  const int distance = (1 - (step % 2 == 0 ? -power : power)) / 3;
  return wrapped(rank % 2 == 0 ? rank + distance : rank - distance, ranks_);
}

bool BineButterfly::takes_high(int rank, int step) const {
  return takes_high_[as_size(step)][as_size(rank)];
}

}  // namespace tasuki::coll
