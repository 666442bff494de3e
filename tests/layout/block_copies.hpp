// Copies between a whole array and a rank's block one element after the other, to compare with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/array_view.hpp>
#include <vector>

#include "layout/random_layout.hpp"

namespace tasuki::layout {

/// Calls `copy` with the offsets of each selected element of the rank in the array and in its
/// block.
template <class Copy>
void for_each_element(const ArrayLayout& layout, int rank, const ArrayView& view, Copy copy) {
  std::size_t block_offset_bytes = 0;
  for (const Index& index : indices_of(layout, rank)) {
    if (is_selected(layout, index)) {
      copy(static_cast<std::size_t>(offset_bytes(view, index)), block_offset_bytes);
    }
    block_offset_bytes += static_cast<std::size_t>(layout.element_bytes());
  }
}

inline void pack_by_elements(const ArrayLayout& layout, int rank, const ArrayView& view,
                             const std::vector<std::byte>& array, std::vector<std::byte>& block) {
  for_each_element(layout, rank, view, [&](std::size_t in_array, std::size_t in_block) {
    std::memcpy(&block.at(in_block), &array.at(in_array),
                static_cast<std::size_t>(layout.element_bytes()));
  });
}

inline void unpack_by_elements(const ArrayLayout& layout, int rank, const ArrayView& view,
                               const std::vector<std::byte>& block, std::vector<std::byte>& array) {
  for_each_element(layout, rank, view, [&](std::size_t in_array, std::size_t in_block) {
    std::memcpy(&array.at(in_array), &block.at(in_block),
                static_cast<std::size_t>(layout.element_bytes()));
  });
}

}  // namespace tasuki::layout
