// Indices of an axis at equal distances: those of an array whose elements are copied, if not all
// are.
//
// Made by whoever describes an array, read by cursors. Thread-safety: a value.
#pragma once

#include <cstdint>

namespace tasuki::layout {

/// lower, lower + step, ... below upper.
///     IndexRange{2, 9, 3}.count();  // 3: the indices 2, 5 and 8
struct IndexRange {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  std::int64_t step = 1;

  /// How many indices there are. Requires: 0 <= lower <= upper, step >= 1.
  std::int64_t count() const noexcept { return count_below(upper); }
  /// How many are below `global`. Requires: as above, and global <= upper.
  std::int64_t count_below(std::int64_t global) const noexcept {
    return global <= lower ? 0 : (global - lower - 1) / step + 1;
  }

  bool operator==(const IndexRange&) const = default;
};

}  // namespace tasuki::layout
