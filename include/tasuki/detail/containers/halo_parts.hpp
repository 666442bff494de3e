// The parts of blocks that other ranks have in their halos: a block of an array in blocks, with so
// many more indices on each side, as far as the array goes.
//
// Both sides find the same elements in the same order, as CommonParts does for two layouts. Used by
// halos of arrays. Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

  /// Elements of the block for the halo of each rank, its own halo included; and the other way.
  std::vector<std::size_t> sent_counts() const;
  std::vector<std::size_t> received_counts() const;
  std::size_t sent_count() const;
  /// Where an element of the halo is in its memory. Requires: it is one.
  std::size_t offset(std::span<const std::int64_t> index) const { return offset_in(halo_, index); }
  /// Copies elements of the block in that order, those for rank 0 first.
  void pack(const std::byte* block, std::byte* packed) const;
  /// Copies what has arrived, that of rank 0 first, into the memory of the halo.
  void unpack(const std::byte* packed, std::byte* halo) const;

 private:
  std::size_t offset_in(const Box& all, std::span<const std::int64_t> index) const;
  /// Calls `copy` with the offset in the memory of `all` and the length of each run of `part`.
  template <class Copy>
  void for_each_run(const Box& part, const Box& all, Copy copy) const;

  Box block_;
  Box halo_;
  std::vector<Box> sent_;             ///< By rank.
  std::vector<Box> received_;         ///< By rank.
  std::vector<std::size_t> fastest_;  ///< The dimensions, the fastest first.
  std::size_t element_bytes_;
};

}  // namespace tasuki::containers
