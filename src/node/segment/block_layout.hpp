// Where the blocks of all ranks lie in a buffer: of one size, or as the counts of a v-form say.
//
// Used by the algorithms in node memory. Thread-safety: a view of the call's counts.
#pragma once

#include <cstddef>
#include <numeric>
#include <tasuki/detail/coll/call.hpp>
#include <vector>

namespace tasuki::node {

class BlockLayout {
 public:
  static BlockLayout sent(const coll::Call& call) {
    return {call.shape, call.shape.send_counts, call.shape.send_displacements};
  }
  static BlockLayout received(const coll::Call& call) {
    return {call.shape, call.shape.receive_counts, call.shape.receive_displacements};
  }

  std::size_t count(int rank) const {
    return counts_.empty() ? equal_count_ : counts_[static_cast<std::size_t>(rank)];
  }
  std::size_t bytes(int rank) const { return count(rank) * element_bytes_; }
  /// Blocks without displacements lie one after the other. To add up the counts of a node's ranks
  /// takes less than a cache miss; a table of sums would be allocated for each call.
  std::size_t offset_bytes(int rank) const {
    if (counts_.empty()) return static_cast<std::size_t>(rank) * equal_count_ * element_bytes_;
    const std::size_t offset =
        displacements_.empty()
            ? std::accumulate(counts_.begin(), counts_.begin() + rank, std::size_t{0})
            : displacements_[static_cast<std::size_t>(rank)];
    return offset * element_bytes_;
  }

 private:
  using Counts = std::vector<std::size_t>;
  BlockLayout(const coll::Shape& shape, const Counts& counts, const Counts& displacements)
      : counts_(counts),
        displacements_(displacements),
        equal_count_(shape.count),
        element_bytes_(shape.element_bytes) {}

  const Counts& counts_;
  const Counts& displacements_;
  std::size_t equal_count_;
  std::size_t element_bytes_;
};

}  // namespace tasuki::node
