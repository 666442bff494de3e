// Bine butterflies: exchanges whose distances are sums of powers of -2, so that the distances stay
// a third shorter than those of recursive doubling (De Sensi, Saggese, Pasqualoni et al. 2025).
//
// Thread-safety: values.
#pragma once

#include <vector>

namespace tasuki::coll {

class BineButterfly {
 public:
  /// Requires: ranks is a power of two.
  explicit BineButterfly(int ranks);

  int steps() const { return static_cast<int>(takes_high_.size()); }
  /// Whom a rank meets: at distance (1 - (-2)^(step + 1)) / 3, ahead of even and behind odd ranks.
  int peer(int rank, int step) const;
  /// Of the parts that both work on, does this rank keep the upper half?
  bool takes_high(int rank, int step) const;

 private:
  int ranks_;
  std::vector<std::vector<bool>> takes_high_;  ///< By step and rank.
};

}  // namespace tasuki::coll
