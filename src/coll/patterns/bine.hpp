// Bine butterflies: exchanges whose distances are sums of powers of -2, so that the distances stay
// a third shorter than those of recursive doubling (De Sensi, Saggese, Pasqualoni et al. 2025).
//
// Thread-safety: values.
#pragma once

namespace tasuki::coll {

class BineButterfly {
 public:
  /// Requires: ranks is a power of two.
  explicit BineButterfly(int ranks);

  int steps() const { return steps_; }
  /// Whom a rank meets: at distance (1 - (-2)^(step + 1)) / 3, ahead of even and behind odd ranks.
  int peer(int rank, int step) const;
  /// Of the parts that both work on, does this rank keep the upper half?
  bool takes_high(int rank, int step) const;

 private:
  /// Of the ranks that this one meets in the steps after `step`, and they meet, the smallest.
  int smallest_after(int rank, int step) const;

  int ranks_;
  int steps_;
};

}  // namespace tasuki::coll
