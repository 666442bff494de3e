#include <tasuki/detail/layout/array_layout.hpp>

#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <limits>
#include <tasuki/detail/base/assert.hpp>
#include <utility>

#include "layout/checked.hpp"

namespace tasuki::layout {
namespace {

int ranks_of(const Placement& placement) {
  if (const auto* grid = std::get_if<Grid>(&placement)) return grid->ranks();
  if (const auto* replicated = std::get_if<Replicated>(&placement)) return replicated->ranks;
  return std::get<OnFirstRank>(placement).ranks;
}

void check_fits(const std::vector<Axis>& axes, const Grid& grid) {
  if (axes.size() != grid.extents().size()) {
    throw error("ArrayLayout",
                fmt::format("{} axes on a grid of {} dimensions", axes.size(), grid.dimensions()),
                "give the grid one dimension per axis, of extent 1 along axes that are whole");
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].processes() == grid.extents()[i]) continue;
    throw error("ArrayLayout",
                fmt::format("axis {} has {} processes, the grid {} along it", i,
                            axes[i].processes(), grid.extents()[i]),
                "make the axis for as many processes as the grid has along it");
  }
}

void check_undivided(const std::vector<Axis>& axes, int ranks) {
  if (ranks < 1) {
    throw error("ArrayLayout", fmt::format("there are {} ranks", ranks), "give 1 rank or more");
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].processes() == 1) continue;
    throw error("ArrayLayout",
                fmt::format("axis {} has {} processes, but no grid divides the array", i,
                            axes[i].processes()),
                "make the axis Whole, or place the array on a Grid");
  }
}

/// With axes of extent 0 taken as 1, no product of some of the extents is beyond 64 bits.
std::int64_t checked_whole_bytes(const std::vector<Axis>& axes, std::size_t element_bytes) {
  std::optional<std::int64_t> bytes;
  if (element_bytes <= static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max()))
    bytes = static_cast<std::int64_t>(element_bytes);
  bool is_empty = false;
  for (const Axis& axis : axes) {
    if (bytes) bytes = checked_product(*bytes, std::max<std::int64_t>(1, axis.extent()));
    is_empty = is_empty || axis.extent() == 0;
  }
  if (!bytes) {
    throw error("ArrayLayout", "the array has more bytes than 64 bits count",
                "give smaller extents");
  }
  return is_empty ? 0 : *bytes;
}

}  // namespace

ArrayLayout::ArrayLayout(std::vector<Axis> axes, Placement placement, std::size_t element_bytes,
                         Order order)
    : axes_(std::move(axes)),
      placement_(std::move(placement)),
      element_bytes_(static_cast<std::int64_t>(element_bytes)),
      order_(order),
      ranks_(ranks_of(placement_)),
      whole_bytes_(0) {
  if (element_bytes == 0) {
    throw error("ArrayLayout", "an element has 0 bytes", "give the size of an element in bytes");
  }
  if (const auto* grid = std::get_if<Grid>(&placement_)) {
    check_fits(axes_, *grid);
  } else {
    check_undivided(axes_, ranks_);
  }
  whole_bytes_ = checked_whole_bytes(axes_, element_bytes);
}

int ArrayLayout::process(int rank, int dimension) const noexcept {
  const auto* grid = std::get_if<Grid>(&placement_);
  return grid == nullptr ? 0 : grid->coordinate(rank, dimension);
}

int ArrayLayout::owner(std::span<const std::int64_t> global) const {
  TASUKI_DEBUG_ASSERT(global.size() == axes_.size());
  const auto* grid = std::get_if<Grid>(&placement_);
  if (grid == nullptr) return 0;
  std::vector<int> coordinates(axes_.size());
  for (std::size_t i = 0; i < axes_.size(); ++i) coordinates[i] = axes_[i].owner(global[i]);
  return grid->rank_at(coordinates);
}

std::int64_t ArrayLayout::local_extent(int rank, int dimension) const noexcept {
  return holds(rank) ? axis(dimension).local_extent(process(rank, dimension)) : 0;
}

std::int64_t ArrayLayout::local_count(int rank) const noexcept {
  if (!holds(rank)) return 0;
  std::int64_t count = 1;
  for (int dimension = 0; dimension < dimensions(); ++dimension)
    count *= local_extent(rank, dimension);
  return count;
}

std::int64_t ArrayLayout::leading_dimension(int rank) const noexcept {
  if (dimensions() == 0) return 1;
  return std::max<std::int64_t>(1, local_extent(rank, nth_fastest(0)));
}

void ArrayLayout::check_rank(int rank) const {
  if (rank >= 0 && rank < ranks_) return;
  throw error("ArrayLayout", fmt::format("rank {} of an array on {} ranks", rank, ranks_),
              fmt::format("give a rank from 0 to {}", ranks_ - 1));
}

}  // namespace tasuki::layout
