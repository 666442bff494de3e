// A vector of elements cut into nearly equal consecutive parts, the longer ones first.
//
// Thread-safety: values.
#pragma once

#include <algorithm>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

class Partition {
 public:
  constexpr Partition(std::size_t count, int parts)
      : base_(count / as_size(parts)), longer_(count % as_size(parts)) {}

  /// Elements before part `index`; `index` may be the number of parts.
  constexpr std::size_t offset(int index) const {
    return as_size(index) * base_ + std::min(as_size(index), longer_);
  }
  /// Elements in the parts [first, last).
  constexpr std::size_t count(int first, int last) const { return offset(last) - offset(first); }
  constexpr std::size_t count(int index) const { return count(index, index + 1); }

 private:
  std::size_t base_;
  std::size_t longer_;  ///< So many parts have one element more.
};

}  // namespace tasuki::coll
