// Where the elements of a whole array lie in somebody's memory, as NumPy describes it.
//
// Made by whoever holds an array whose blocks are copied from or to other ranks.
// Thread-safety: a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/order.hpp>
#include <vector>

namespace tasuki::layout {

/// Element (i, j, ...) begins `first_offset_bytes` + i * stride_bytes[0] + j * stride_bytes[1] +
/// ... bytes behind the begin of the memory. Strides may be negative, and 0 for arrays that are
/// only read.
struct ArrayView {
  std::int64_t first_offset_bytes = 0;
  std::vector<std::int64_t> stride_bytes = {};

  bool operator==(const ArrayView&) const = default;
};

/// Returns: the view of an array of the layout's extents whose elements lie without gaps.
///     contiguous_view(layout_of_2_by_3_doubles, Order::row_major);  // {0, {24, 8}}
ArrayView contiguous_view(const ArrayLayout& layout, Order order);

/// Throws tasuki::error if the view has not one stride per axis.
void check_dimensions(const ArrayView& view, const ArrayLayout& layout);

/// Throws tasuki::error if the view has not one stride per axis, or an element of the array would
/// lie outside of `memory_bytes` bytes.
void check(const ArrayView& view, const ArrayLayout& layout, std::size_t memory_bytes);

}  // namespace tasuki::layout
