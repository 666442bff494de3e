// Copies a rank's block out of a whole array, or back into it.
//
// Called by who sends or receives a block by way of a buffer. Where array and block go on along the
// same axis, runs are copied whole; where they do not, as between row- and column-major order,
// elements are copied in tiles that stay in the cache. Thread-safety: as memcpy.
#pragma once

#include <cstddef>
#include <span>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/array_view.hpp>

namespace tasuki::layout {

/// Copies the elements that the layout selects from the array into the block. Throws tasuki::error
/// if there is no such rank, the block has not the layout's local bytes, or an element of the array
/// lies outside of its memory. Requires: array and block do not overlap.
///     std::vector<std::byte> block(layout.local_bytes(rank));
///     pack_block(layout, rank, contiguous_view(layout, Order::row_major), array, block);
void pack_block(const ArrayLayout& layout, int rank, const ArrayView& view,
                std::span<const std::byte> array, std::span<std::byte> block);

/// Copies from the block into the array; otherwise as pack_block.
void unpack_block(const ArrayLayout& layout, int rank, const ArrayView& view,
                  std::span<const std::byte> block, std::span<std::byte> array);

}  // namespace tasuki::layout
