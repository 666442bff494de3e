// Layouts of arrays that a team holds: made of what users say, checked, and asked where elements
// are.
//
// Used by Array. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/order.hpp>
#include <tasuki/team.hpp>
#include <vector>

namespace tasuki::containers {

/// Ranks are divided among the dimensions that are not whole. Throws tasuki::error if there is not
/// one distribution per extent, or more than one rank and only whole dimensions.
layout::ArrayLayout layout_of(std::vector<std::int64_t> extents,
                              std::vector<layout::Distribution> distributions,
                              std::size_t element_bytes, int ranks);

/// A structure as tasuki_array_layout.
template <class T>
concept BlockDescription = requires(const T& one) {
  one.extents[0];
  one.block_extents[0];
  one.grid[0];
};

/// That of which a served routine is told, for each dimension, the extent, the indices of a block
/// and the ranks of the grid. Requires: spans of one size.
layout::ArrayLayout described_layout(std::span<const std::int64_t> extents,
                                     std::span<const std::int64_t> block_extents,
                                     std::span<const int> grid, std::size_t element_bytes);

/// Throws tasuki::error unless a grid of so many ranks divides an array of such elements.
void check_layout(const layout::ArrayLayout& layout, std::size_t element_bytes, int ranks);
/// The same, and if this rank has elements and `block` is null.
void check_block(const layout::ArrayLayout& layout, std::size_t element_bytes, const Team& team,
                 const void* block);

/// Where an element is: its rank, and its number in the rank's block.
struct Place {
  int rank = 0;
  std::ptrdiff_t offset = 0;
};
/// Throws tasuki::error if there is no such element.
Place place_of(const layout::ArrayLayout& layout, std::span<const std::int64_t> index);

std::vector<std::int64_t> extents_of(const layout::ArrayLayout& layout);
/// "100 x 30".
std::string text_of(std::span<const std::int64_t> extents);
/// "100 x 30 elements, 50 x 30 at a time, in row-major order on a row-major grid of 2 x 1 ranks".
/// Requires: a grid divides the array.
std::string text_of(const layout::ArrayLayout& layout);
/// Throws tasuki::error if extents, or the ranks of the teams, differ.
void check_same_extents(const layout::ArrayLayout& one, const layout::ArrayLayout& other,
                        const Team& team_of_one, const Team& team_of_other);

/// The same array in blocks along the axis that changes slowest in the order, so that each rank has
/// one piece of the whole array's memory.
layout::ArrayLayout slabs_of(const layout::ArrayLayout& layout, layout::Order order);

}  // namespace tasuki::containers
