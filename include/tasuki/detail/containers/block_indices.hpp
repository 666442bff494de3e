// The indices of a rank's elements, in the order of its block.
//
// Used by iterations over arrays. Thread-safety: one thread per object.
#pragma once

#include <cstdint>
#include <span>
#include <tasuki/detail/layout/array_layout.hpp>
#include <vector>

namespace tasuki::containers {

class BlockIndices {
 public:
  /// Requires: the layout outlives it.
  BlockIndices(const layout::ArrayLayout& layout, int rank);

  /// Of the element at which it is. Requires: the block has elements.
  std::span<const std::int64_t> index() const noexcept { return index_; }
  /// Goes on to the next; behind the last to the first.
  void advance() noexcept;

 private:
  const layout::ArrayLayout& layout_;
  std::vector<int> dimensions_;  ///< The fastest first.
  std::vector<int> processes_;   ///< By dimension, as all below.
  std::vector<std::int64_t> local_;
  std::vector<std::int64_t> local_extents_;
  std::vector<std::int64_t> index_;
};

}  // namespace tasuki::containers
