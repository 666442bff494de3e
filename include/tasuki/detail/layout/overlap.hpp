// Whether two arrays in somebody's memory have bytes in common.
//
// Asked by who writes one array while the other one is still needed. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/array_view.hpp>
#include <vector>

namespace tasuki::layout {

/// Where the bytes of an array lie: elements at `lowest` plus a sum of i * stride_bytes over the
/// steps, for each i from 0 to before `count`.
struct PlacedElements {
  struct Step {
    std::int64_t stride_bytes = 0;  ///< More than 0.
    std::int64_t count = 1;         ///< More than 1.
  };

  const std::byte* lowest = nullptr;
  std::int64_t element_bytes = 0;  ///< 0 if there are no elements.
  std::vector<Step> steps = {};
};

/// Requires: `memory` and the view describe an array of the layout's extents (check).
PlacedElements placed_elements(const ArrayLayout& layout, const ArrayView& view,
                               const std::byte* memory);

enum class Overlap : std::uint8_t {
  none,
  some,
  unknown,  ///< It would take too long to find out.
};

/// Blocks and regular parts of one array are always told apart; `unknown` comes of strides that
/// have little to do with each other. Takes some microseconds at most.
///     overlap_of(every_second_from(0), every_second_from(1));  // Overlap::none
Overlap overlap_of(const PlacedElements& one, const PlacedElements& other);

}  // namespace tasuki::layout
