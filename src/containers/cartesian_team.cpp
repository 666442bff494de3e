#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tasuki/containers/cartesian_team.hpp>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki {
namespace {

constexpr const char* making = "making a CartesianTeam";
constexpr const char* using_one = "using a CartesianTeam";

layout::Grid grid_of(const Team& team, std::vector<int> extents) {
  const int ranks = team.size();
  if (extents.empty()) {
    throw error(making, "its grid has no dimensions", "give an extent for each dimension");
  }
  std::int64_t fixed = 1;
  for (const int extent : extents) {
    if (extent < 0) {
      throw error(making, fmt::format("{} holds the extent {}", extents, extent),
                  "give the number of ranks along each dimension, or 0 to have it chosen");
    }
    if (extent > 0 && fixed <= ranks) fixed *= extent;
  }
  const bool has_free = std::ranges::count(extents, 0) != 0;
  if (has_free ? ranks % fixed != 0 : ranks != fixed) {
    throw error(making, fmt::format("a team of {} ranks cannot fill a grid {}", ranks, extents),
                "give 0 for an extent that may be chosen, or split the team before");
  }
  return layout::Grid::balanced(ranks, std::move(extents));
}

void check_count(std::size_t given, int dimensions, const char* what) {
  if (given == static_cast<std::size_t>(dimensions)) return;
  throw error(using_one, fmt::format("{} {} are given for {} dimensions", given, what, dimensions),
              "give one for each dimension");
}

}  // namespace

CartesianTeam::CartesianTeam(const Team& team, std::vector<int> extents, std::vector<bool> periods)
    : Team(team), grid_(grid_of(team, std::move(extents))), periods_(std::move(periods)) {
  if (periods_.empty()) periods_.resize(static_cast<std::size_t>(dimensions()));
  if (periods_.size() != static_cast<std::size_t>(dimensions())) {
    throw error(
        making,
        fmt::format("{} periods are given for {} dimensions", periods_.size(), dimensions()),
        "say of each dimension whether it is periodic, or of none");
  }
}

void CartesianTeam::check_dimension(int dimension) const {
  if (dimension >= 0 && dimension < dimensions()) return;
  throw error(using_one, fmt::format("there is no dimension {}", dimension),
              fmt::format("use a dimension from 0 to {}", dimensions() - 1));
}

int CartesianTeam::extent(int dimension) const {
  check_dimension(dimension);
  return grid_.extents()[static_cast<std::size_t>(dimension)];
}

bool CartesianTeam::is_periodic(int dimension) const {
  check_dimension(dimension);
  return periods_[static_cast<std::size_t>(dimension)];
}

std::vector<int> CartesianTeam::coordinates(int rank) const {
  if (rank < 0 || rank >= grid_.ranks()) {
    throw error(using_one, fmt::format("there is no rank {} in the grid", rank),
                fmt::format("use a rank from 0 to {}", grid_.ranks() - 1));
  }
  std::vector<int> all;
  all.reserve(periods_.size());
  for (int d = 0; d < dimensions(); ++d) all.push_back(grid_.coordinate(rank, d));
  return all;
}

std::optional<int> CartesianTeam::rank_at(const std::vector<int>& coordinates) const {
  check_count(coordinates.size(), dimensions(), "coordinates");
  std::vector<int> inside = coordinates;
  for (std::size_t d = 0; d < inside.size(); ++d) {
    const int extent = grid_.extents()[d];
    if (periods_[d]) inside[d] = (inside[d] % extent + extent) % extent;
    if (inside[d] < 0 || inside[d] >= extent) return std::nullopt;
  }
  return grid_.rank_at(inside);
}

std::optional<int> CartesianTeam::neighbour(const std::vector<int>& displacement) const {
  check_count(displacement.size(), dimensions(), "steps");
  std::vector<int> there = coordinates();
  for (std::size_t d = 0; d < there.size(); ++d) {
    // Both are inside of int; their sum need not be.
    const std::int64_t sum = std::int64_t{there[d]} + displacement[d];
    const std::int64_t extent = grid_.extents()[d];
    if (!periods_[d] && (sum < 0 || sum >= extent)) return std::nullopt;
    there[d] = static_cast<int>((sum % extent + extent) % extent);
  }
  return grid_.rank_at(there);
}

CartesianTeam CartesianTeam::along(const std::vector<int>& dimensions) const {
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    check_dimension(dimensions[i]);
    if (i > 0 && dimensions[i] <= dimensions[i - 1]) {
      throw error(using_one, fmt::format("{} are not dimensions in ascending order", dimensions),
                  "name each dimension once, the first one first");
    }
  }
  std::vector<int> first = coordinates();  // of the ranks of this part of the grid
  std::vector<int> extents;
  std::vector<bool> periods;
  for (const int d : dimensions) {
    first[static_cast<std::size_t>(d)] = 0;
    extents.push_back(extent(d));
    periods.push_back(is_periodic(d));
  }
  const Team part = split(grid_.rank_at(first), rank());
  return {part, std::move(extents), std::move(periods)};
}

}  // namespace tasuki
