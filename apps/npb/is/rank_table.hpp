// The ranks of all keys in a range of values, by counting.
//
// Filled by the Ranker in every iteration. Thread-safety: one rank's own.
#pragma once

#include <span>

#include "common/huge_array.hpp"
#include "npb/is/problem.hpp"

namespace tasuki::npb::is {

class RankTable {
 public:
  /// Starts again, for keys in [first, limit).
  void restart(Key first, Key limit);
  /// Counts `keys`, all of them in the range.
  void count(std::span<const Key> keys) noexcept;
  /// The counts, by value, from the first on.
  std::span<std::int32_t> entries() noexcept { return ranks_; }
  /// All keys are counted: turns counts into ranks, the smallest key's being 0.
  /// Returns: how many keys were counted.
  std::int64_t finish() noexcept;

  /// Rank of `key`, which is in the range, among the keys counted: how many are smaller.
  std::int64_t rank_of(Key key) const noexcept {
    return ranks_[static_cast<std::size_t>(key - first_)];
  }
  /// The rank of one more occurrence of `key`, for sorting: equal keys get consecutive ranks.
  std::int64_t take(Key key) noexcept { return ranks_[static_cast<std::size_t>(key - first_)]++; }
  std::size_t size() const noexcept { return ranks_.size(); }
  bool contains(Key key) const noexcept {
    return first_ <= key && key < first_ + static_cast<Key>(ranks_.size());
  }

 private:
  Key first_ = 0;
  HugeArray<std::int32_t> ranks_;
};

}  // namespace tasuki::npb::is
