// Folding: butterflies want a power of the radix; the ranks beyond it join a neighbour first.
//
// The ranks are cut into `active` groups of consecutive ranks, as equal as can be. The first rank
// of a group leads it and takes part under the group's number, so that a group's values are
// neighbours in rank order and operators need not commute.
// Thread-safety: values.
#pragma once

#include "coll/patterns/partition.hpp"

namespace tasuki::coll {

class Fold {
 public:
  constexpr explicit Fold(int ranks, int radix = 2)
      : active_(floor_power(ranks, radix)), groups_(as_size(ranks), active_), ranks_(ranks) {}

  constexpr int active() const { return active_; }
  constexpr int folded() const { return ranks_ - active_; }  ///< Ranks that do not lead a group.

  constexpr int leader(int group) const { return static_cast<int>(groups_.offset(group)); }
  constexpr int size(int group) const { return static_cast<int>(groups_.count(group)); }
  constexpr int group(int rank) const {
    // The longer groups, all of size `longer`, come first.
    const int longer = size(0);
    const int long_groups = ranks_ - (longer - 1) * active_;
    const int in_long = long_groups * longer;
    if (rank < in_long) return rank / longer;
    return long_groups + (rank - in_long) / (longer - 1);
  }
  constexpr bool leads(int rank) const { return leader(group(rank)) == rank; }

 private:
  int active_;
  Partition groups_;
  int ranks_;
};

}  // namespace tasuki::coll
