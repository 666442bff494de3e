#include "python/array_description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <span>
#include <tasuki/detail/containers/array_shape.hpp>
#include <tasuki/error.hpp>
#include <utility>
#include <variant>

namespace tasuki::python {
namespace {

using layout::ArrayLayout;
using layout::Grid;

constexpr const char* operation = "making an Array";

/// As NumPy writes a shape.
std::string shape_text(const std::vector<std::int64_t>& extents) {
  return fmt::format("({}{})", fmt::join(extents, ", "), extents.size() == 1 ? "," : "");
}

/// Requires: as many extents as distributions.
Grid grid_of(const ArrayDescription& description, int ranks) {
  const std::vector<std::int64_t>& given = description.grid;
  if (given.size() != description.extents.size()) {
    throw error(operation,
                fmt::format("it has {} dimensions, and the grid {} {}", description.extents.size(),
                            shape_text(given), given.size()),
                "give the number of ranks along each dimension of the Array");
  }
  std::vector<int> processes;
  for (std::size_t d = 0; d < given.size(); ++d) {
    const bool is_whole = std::holds_alternative<layout::Whole>(description.distributions[d]);
    const std::int64_t one = given[d] == 0 && is_whole ? 1 : given[d];
    processes.push_back(static_cast<int>(std::clamp<std::int64_t>(
        one, std::numeric_limits<int>::min(), std::numeric_limits<int>::max())));
  }
  try {
    return Grid::balanced(ranks, std::move(processes), description.grid_order);
  } catch (const error&) {
    throw error(operation,
                fmt::format("{} ranks cannot fill the grid {}", ranks, shape_text(given)),
                "give numbers whose product is the size of the team, or 0 for those to be found");
  }
}

}  // namespace

ArrayLayout layout_of(const ArrayDescription& description, int ranks) {
  // Refuses what is wrong without regard to the grid.
  const ArrayLayout balanced = containers::layout_of(description.extents, description.distributions,
                                                     description.element_bytes, ranks);
  const std::span<const int> found = std::get<Grid>(balanced.placement()).extents();
  Grid grid = description.grid.empty() ? Grid({found.begin(), found.end()}, description.grid_order)
                                       : grid_of(description, ranks);
  std::vector<layout::Axis> axes;
  for (std::size_t d = 0; d < description.extents.size(); ++d) {
    axes.emplace_back(description.extents[d], description.distributions[d], grid.extents()[d]);
  }
  return {std::move(axes), std::move(grid), description.element_bytes, description.order};
}

std::vector<std::int64_t> block_extents(const ArrayLayout& layout, int rank) {
  std::vector<std::int64_t> extents;
  for (int d = 0; d < layout.dimensions(); ++d) extents.push_back(layout.local_extent(rank, d));
  return extents;
}

void check_extents(const GivenBlock& given, const ArrayLayout& layout, int rank) {
  const std::vector<std::int64_t> expected = block_extents(layout, rank);
  const bool is_empty = layout.local_count(rank) == 0 && given.bytes.count() == 0;
  if (is_empty || given.extents == expected) return;
  throw error(operation,
              fmt::format("the block of this rank has the shape {}, but its part of the Array {}",
                          shape_text(given.extents), shape_text(expected)),
              "give a block of that shape, or other distributions or another grid");
}

}  // namespace tasuki::python
