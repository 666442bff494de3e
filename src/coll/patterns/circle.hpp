// Ranks numbered round a circle from any of them.
//
// Thread-safety: values.
#pragma once

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

/// A place on a circle of `size` ranks; number i is rank (i + origin) mod size.
struct Circle {
  int size = 1;
  int number = 0;  ///< This rank's.
  int origin = 0;

  /// Rank of the one so many places ahead (behind, if negative).
  int rank_at(int distance) const { return wrapped(number + distance + origin, size); }
};

}  // namespace tasuki::coll
