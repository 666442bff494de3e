#include <tasuki/detail/containers/array_shape.hpp>

#include <algorithm>
#include <tasuki/error.hpp>
#include <utility>
#include <variant>

namespace tasuki::containers {

using layout::ArrayLayout;
using layout::Axis;
using layout::Grid;

ArrayLayout layout_of(std::vector<std::int64_t> extents,
                      std::vector<layout::Distribution> distributions, std::size_t element_bytes,
                      int ranks) {
  if (extents.size() != distributions.size()) {
    throw error("making an Array",
                std::to_string(extents.size()) + " extents and " +
                    std::to_string(distributions.size()) + " distributions were given",
                "give one distribution for each dimension");
  }
  std::vector<int> processes;
  bool is_divided = false;
  for (const layout::Distribution& distribution : distributions) {
    const bool is_whole = std::holds_alternative<layout::Whole>(distribution);
    processes.push_back(is_whole ? 1 : 0);
    is_divided |= !is_whole;
  }
  if (!is_divided && ranks > 1) {
    throw error("making an Array", "all its dimensions are whole, and there are several ranks",
                "give one dimension another distribution, or a team of one rank");
  }
  Grid grid = Grid::balanced(ranks, std::move(processes));
  std::vector<Axis> axes;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    axes.emplace_back(extents[d], distributions[d], grid.extents()[d]);
  }
  return {std::move(axes), std::move(grid), element_bytes};
}

ArrayLayout described_layout(std::span<const std::int64_t> extents,
                             std::span<const std::int64_t> block_extents, std::span<const int> grid,
                             std::size_t element_bytes) {
  std::vector<Axis> axes;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    axes.emplace_back(extents[d], layout::BlockCyclic{block_extents[d]}, grid[d]);
  }
  return {std::move(axes), Grid({grid.begin(), grid.end()}), element_bytes};
}

void check_layout(const ArrayLayout& layout, std::size_t element_bytes, int ranks) {
  const bool is_divided = std::holds_alternative<Grid>(layout.placement());
  const bool fits = layout.ranks() == ranks && layout.selects_all() &&
                    layout.element_bytes() == static_cast<std::int64_t>(element_bytes);
  if (is_divided && fits) return;
  throw error("making an Array",
              "its layout has " + std::to_string(layout.ranks()) + " ranks and elements of " +
                  std::to_string(layout.element_bytes()) + " bytes, the team " +
                  std::to_string(ranks) + " ranks and the type " + std::to_string(element_bytes) +
                  " bytes",
              "give a layout of the team's size, which divides all elements by a grid");
}

void check_block(const ArrayLayout& layout, std::size_t element_bytes, const Team& team,
                 const void* block) {
  check_layout(layout, element_bytes, team.size());
  const std::int64_t count = layout.local_count(team.rank());
  if (block != nullptr || count == 0) return;
  throw error("making an Array",
              "the block of this rank is null, and has " + std::to_string(count) + " elements",
              "give the address of the rank's elements, or none to have the Array allocate them");
}

Place place_of(const ArrayLayout& layout, std::span<const std::int64_t> index) {
  bool is_inside = index.size() == static_cast<std::size_t>(layout.dimensions());
  for (std::size_t d = 0; is_inside && d < index.size(); ++d) {
    is_inside = index[d] >= 0 && index[d] < layout.axis(static_cast<int>(d)).extent();
  }
  if (!is_inside) [[unlikely]] {
    std::string text;
    for (const std::int64_t one : index) text += (text.empty() ? "" : ", ") + std::to_string(one);
    throw error("accessing an element of an Array",
                "there is no element (" + text + ") in an array of " + text_of(extents_of(layout)),
                "give one index for each dimension, from 0 to the extent - 1");
  }
  Place place{layout.owner(index), 0};
  std::ptrdiff_t stride = 1;
  for (int n = 0; n < layout.dimensions(); ++n) {
    const int dimension = layout.nth_fastest(n);
    const Axis& axis = layout.axis(dimension);
    place.offset += stride * axis.local_index(index[static_cast<std::size_t>(dimension)]);
    stride *= layout.local_extent(place.rank, dimension);
  }
  return place;
}

std::vector<std::int64_t> extents_of(const ArrayLayout& layout) {
  std::vector<std::int64_t> extents;
  for (int d = 0; d < layout.dimensions(); ++d) extents.push_back(layout.axis(d).extent());
  return extents;
}

std::string text_of(std::span<const std::int64_t> extents) {
  std::string text;
  for (const std::int64_t one : extents) text += (text.empty() ? "" : " x ") + std::to_string(one);
  return text;
}

std::string text_of(const ArrayLayout& layout) {
  const auto name = [](layout::Order order) {
    return order == layout::Order::row_major ? "row-major" : "column-major";
  };
  std::vector<std::int64_t> ranks;
  std::vector<std::int64_t> at_a_time;
  for (int d = 0; d < layout.dimensions(); ++d) {
    ranks.push_back(layout.axis(d).processes());
    at_a_time.push_back(layout.axis(d).block_extent());
  }
  return text_of(extents_of(layout)) + " elements, " + text_of(at_a_time) + " at a time, in " +
         name(layout.order()) + " order on a " + name(std::get<Grid>(layout.placement()).order()) +
         " grid of " + text_of(ranks) + " ranks";
}

void check_same_extents(const ArrayLayout& one, const ArrayLayout& other, const Team& team_of_one,
                        const Team& team_of_other) {
  if (extents_of(one) != extents_of(other)) {
    throw error("Array::assign",
                "one array has " + text_of(extents_of(one)) + " elements, the other " +
                    text_of(extents_of(other)),
                "give arrays of the same extents");
  }
  if (!std::ranges::equal(team_of_one.world_ranks(), team_of_other.world_ranks())) {
    throw error("Array::assign", "the two arrays are on different teams",
                "make both arrays on the same team");
  }
}

ArrayLayout slabs_of(const ArrayLayout& layout, layout::Order order) {
  const int dimensions = layout.dimensions();
  const int slowest = order == layout::Order::row_major ? 0 : dimensions - 1;
  std::vector<Axis> axes;
  std::vector<int> processes;
  for (int d = 0; d < dimensions; ++d) {
    const bool is_slowest = d == slowest;
    processes.push_back(is_slowest ? layout.ranks() : 1);
    axes.emplace_back(layout.axis(d).extent(),
                      is_slowest ? layout::Distribution(layout::Block{}) : layout::Whole{},
                      processes.back());
  }
  return {std::move(axes), Grid(std::move(processes)),
          static_cast<std::size_t>(layout.element_bytes()), order};
}

}  // namespace tasuki::containers
