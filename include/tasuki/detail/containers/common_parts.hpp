// What two layouts of one array have in common: the parts of a rank's block in the one that each
// rank has in the other.
//
// Both sides find the same elements in the same order, by their indices, so that a part can be
// packed by the one and unpacked by the other. Used to redistribute arrays.
//
// Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tasuki/detail/layout/array_layout.hpp>
#include <vector>

namespace tasuki::containers {

class CommonParts {
 public:
  /// Requires: grids divide both arrays, whose extents and elements are the same.
  CommonParts(const layout::ArrayLayout& mine, int my_rank, const layout::ArrayLayout& theirs);

  /// Elements of this rank's block that the other rank has in the other layout.
  std::size_t count(int their_rank) const;
  std::vector<std::size_t> counts() const;

  /// Copies all of them out of the block, those for rank 0 first.
  void pack(const std::byte* block, std::byte* packed) const;
  /// And back.
  void unpack(const std::byte* packed, std::byte* block) const;

 private:
  /// Indices along an axis of the block that follow each other.
  struct Run {
    std::int64_t begin = 0;
    std::int64_t extent = 0;
  };
  using Runs = std::vector<Run>;

  const Runs& runs(int their_rank, std::size_t dimension) const;
  template <class Copy>
  void for_each_run(int their_rank, Copy copy) const;
  template <class Copy>
  void walk(int their_rank, std::size_t dimension, std::int64_t offset, Copy& copy) const;

  layout::ArrayLayout theirs_;
  std::vector<std::int64_t> strides_;    ///< Of this rank's block, in elements.
  std::vector<std::vector<Runs>> runs_;  ///< By dimension, then by their process along it.
  std::size_t element_bytes_;
};

}  // namespace tasuki::containers
