#include <tasuki/detail/layout/array_layout.hpp>

#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <limits>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/layout/selected_axis.hpp>
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

void check_ranges(const std::vector<Axis>& axes, const std::vector<IndexRange>& ranges) {
  if (ranges.size() != axes.size()) {
    throw error("ArrayLayout", fmt::format("{} ranges for {} axes", ranges.size(), axes.size()),
                "give one range per axis");
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const IndexRange& one = ranges[i];
    const bool is_inside =
        0 <= one.lower && one.lower <= one.upper && one.upper <= axes[i].extent() && one.step >= 1;
    if (is_inside) continue;
    throw error("ArrayLayout",
                fmt::format("the range {} to {} by {} of {} indices", one.lower, one.upper,
                            one.step, axes[i].extent()),
                "give 0 <= lower <= upper <= extent, and a step of 1 or more");
  }
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

ArrayLayout ArrayLayout::selecting(std::vector<IndexRange> ranges) const {
  check_ranges(axes_, ranges);
  ArrayLayout result = *this;
  const auto is_whole = [&](std::size_t i) {
    return ranges[i] == IndexRange{0, axes_[i].extent(), 1};
  };
  std::size_t whole_count = 0;
  while (whole_count < ranges.size() && is_whole(whole_count)) ++whole_count;
  if (whole_count == ranges.size()) ranges.clear();
  result.ranges_ = std::move(ranges);
  return result;
}

ArrayLayout ArrayLayout::selecting_all() const {
  ArrayLayout result = *this;
  result.ranges_.clear();
  return result;
}

std::int64_t ArrayLayout::selected_extent(int rank, int dimension) const noexcept {
  const IndexRange selected = range(dimension);
  if (selects_all()) return local_extent(rank, dimension);
  if (!holds(rank)) return 0;
  const Axis& one = axis(dimension);
  const int owner = process(rank, dimension);
  if (one.processes() == 1) return selected.count();
  if (selected.step == 1) {
    return one.local_begin(owner, selected.upper) - one.local_begin(owner, selected.lower);
  }
  std::int64_t extent = 0;
  for (SelectedAxis walk(one, owner, selected); !walk.is_at_end();) {
    const std::int64_t count = walk.block_count();
    extent += count;
    walk.advance(count);
  }
  return extent;
}

std::int64_t ArrayLayout::selected_count(int rank) const noexcept {
  if (!holds(rank)) return 0;
  std::int64_t count = 1;
  for (int dimension = 0; dimension < dimensions() && count > 0; ++dimension)
    count *= selected_extent(rank, dimension);
  return count;
}

std::int64_t ArrayLayout::whole_selected_bytes() const noexcept {
  if (selects_all()) return whole_bytes_;
  std::int64_t bytes = element_bytes_;
  for (const IndexRange& one : ranges_) bytes *= one.count();
  return bytes;
}

void ArrayLayout::check_rank(int rank) const {
  if (rank >= 0 && rank < ranks_) return;
  throw error("ArrayLayout", fmt::format("rank {} of an array on {} ranks", rank, ranks_),
              fmt::format("give a rank from 0 to {}", ranks_ - 1));
}

}  // namespace tasuki::layout
