// Where the blocks of all ranks lie in a buffer of a v-form.
//
// Used by the v-forms on shared memory. Thread-safety: a view of the call's counts.
#pragma once

#include <cstddef>
#include <numeric>
#include <tasuki/runtime/collective_call.hpp>
#include <vector>

namespace tasuki::runtime::node_memory {

class UnevenLayout {
 public:
  static UnevenLayout sent(const CollectiveCall& call) {
    return {call.shape.send_counts, call.shape.send_displacements, call.shape.element_bytes};
  }
  static UnevenLayout received(const CollectiveCall& call) {
    return {call.shape.receive_counts, call.shape.receive_displacements, call.shape.element_bytes};
  }

  std::size_t count(int rank) const { return counts_[static_cast<std::size_t>(rank)]; }
  std::size_t bytes(int rank) const { return count(rank) * element_bytes_; }
  /// Blocks without displacements lie one after the other. To add up the counts of a node's ranks
  /// takes less than a cache miss; a table of sums would be allocated for each call.
  std::size_t offset_bytes(int rank) const {
    const std::size_t offset =
        displacements_.empty()
            ? std::accumulate(counts_.begin(), counts_.begin() + rank, std::size_t{0})
            : displacements_[static_cast<std::size_t>(rank)];
    return offset * element_bytes_;
  }

 private:
  using Counts = std::vector<std::size_t>;
  UnevenLayout(const Counts& counts, const Counts& displacements, std::size_t element_bytes)
      : counts_(counts), displacements_(displacements), element_bytes_(element_bytes) {}

  const Counts& counts_;
  const Counts& displacements_;
  std::size_t element_bytes_;
};

}  // namespace tasuki::runtime::node_memory
