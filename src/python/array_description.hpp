// What a rank says of an Array that all ranks of a team make together.
//
// Made by ArrayBlocks' binding from what python/tasuki/ranks/array_description.py has checked.
//
// Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tasuki/detail/layout/array_layout.hpp>
#include <vector>

#include "python/elements.hpp"

namespace tasuki::python {

struct ArrayDescription {
  std::vector<std::int64_t> extents;
  std::vector<layout::Distribution> distributions;
  /// Ranks along each dimension, 0: as many as there are. Empty: 0 along those that are divided.
  std::vector<std::int64_t> grid;
  layout::Order grid_order = layout::Order::row_major;  ///< Of the numbers of its ranks.
  layout::Order order = layout::Order::row_major;
  std::string type;  ///< What NumPy calls the elements.
  std::size_t element_bytes = 0;
};

/// Throws tasuki::error if the parts do not fit each other, or the number of ranks.
layout::ArrayLayout layout_of(const ArrayDescription& description, int ranks);

/// How many indices of a rank's block there are along each dimension.
std::vector<std::int64_t> block_extents(const layout::ArrayLayout& layout, int rank);

/// Memory of the program's that shall be the block of a rank; it is kept while this lives.
struct GivenBlock {
  Elements bytes;
  std::vector<std::int64_t> extents;
};

/// Throws tasuki::error if the rank's block has other extents. One without elements may have any.
void check_extents(const GivenBlock& given, const layout::ArrayLayout& layout, int rank);

}  // namespace tasuki::python
