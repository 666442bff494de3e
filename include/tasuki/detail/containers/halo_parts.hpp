// The parts of blocks that other ranks have in their halos: a block of an array in blocks, with so
// many more indices on each side, as far as the array goes.
//
// Both sides find the same elements in the same order, as CommonParts does for two layouts. Used by
// halos of arrays. Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tasuki/detail/containers/box_exchange.hpp>
#include <tasuki/detail/containers/memory_box.hpp>
#include <tasuki/detail/layout/array_layout.hpp>
#include <vector>

namespace tasuki::containers {

class HaloParts {
 public:
  /// Throws tasuki::error if an axis has several runs on a rank, as cyclic ones do, or the width is
  /// negative.
  HaloParts(const layout::ArrayLayout& layout, int rank, std::int64_t width);

  /// The rank's block, and with its halo.
  const Box& block() const noexcept { return block_; }
  const Box& halo() const noexcept { return halo_; }

  /// What is exchanged with other ranks: parts of the block as its rank has it for parts of the
  /// halo.
  const std::vector<SharedBoxes>& shared() const noexcept { return shared_; }
  /// Copies the rank's block into its halo.
  void copy_block(const std::byte* block, std::byte* halo) const;
  /// Where an element of the halo is in its memory. Requires: it is one.
  std::size_t offset(std::span<const std::int64_t> index) const;

 private:
  Box block_;
  Box halo_;
  ArrayMemory block_memory_;
  ArrayMemory halo_memory_;
  std::vector<SharedBoxes> shared_;
};

}  // namespace tasuki::containers
