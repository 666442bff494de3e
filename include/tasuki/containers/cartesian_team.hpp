// A team whose ranks lie in a grid: coordinates, neighbours, and the rows and columns as teams.
//
// Made by programs that divide a space among ranks, from the same arguments on all ranks of the
// team. Ranks are numbered row by row, as MPI_Cart_create does it.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <optional>
#include <tasuki/detail/layout/grid.hpp>
#include <tasuki/team.hpp>
#include <vector>

namespace tasuki {

/// A team in a grid of any number of dimensions, each of which may be periodic: its last rank is
/// then beside its first. It is the given team; collectives on both are of one order.
/// Example: examples/smoothing.cpp
///     const tasuki::CartesianTeam grid(tasuki::world_team(), {0, 1}, {true, false});
///     if (grid.dimensions() == 2 && grid.is_periodic(0)) std::printf("%d rows\n", grid.extent(0));
///     const std::optional<int> below = grid.neighbour({1, 0});  // there is no other column
///     const auto right_below = grid.neighbour({1, 1});          // so this is std::nullopt
class CartesianTeam : public Team {
 public:
  /// `extents` are the ranks along each dimension; those given as 0 are chosen as evenly as
  /// possible, as MPI_Dims_create does: the earlier dimensions get the larger extents. No dimension
  /// is periodic without `periods`.
  /// Throws tasuki::error if the team is empty or does not fill the grid.
  CartesianTeam(const Team& team, std::vector<int> extents, std::vector<bool> periods = {});

  int dimensions() const noexcept { return grid_.dimensions(); }
  int extent(int dimension) const;
  bool is_periodic(int dimension) const;

  /// Throws tasuki::error if there is no such rank.
  ///     const tasuki::CartesianTeam grid(tasuki::world_team(), {0, 0});
  ///     const std::vector<int> own = grid.coordinates();
  ///     const bool same = own == grid.coordinates(grid.rank()) && grid.rank_at(own) ==
  ///     grid.rank();
  std::vector<int> coordinates(int rank) const;
  std::vector<int> coordinates() const { return coordinates(rank()); }
  /// Returns: the rank there, with the coordinates of periodic dimensions wrapped around; nothing
  /// outside of the grid. Throws tasuki::error unless there is a coordinate for each dimension.
  ///     const tasuki::CartesianTeam grid(tasuki::world_team(), {0, 0});
  ///     const bool is_first = grid.rank_at({0, 0}) == 0;
  std::optional<int> rank_at(const std::vector<int>& coordinates) const;
  /// The rank so many steps away in each dimension, as `rank_at` finds it; it may be this one.
  std::optional<int> neighbour(const std::vector<int>& displacement) const;

  /// The ranks whose coordinates differ from this rank's in the given dimensions only, as a grid of
  /// these dimensions. Collective over this team, as MPI_Cart_sub is.
  /// Throws tasuki::error unless the dimensions exist, each named once, in ascending order.
  ///     const tasuki::CartesianTeam grid(tasuki::world_team(), {0, 0});
  ///     const tasuki::CartesianTeam row = grid.along({1});
  ///     const int largest_of_row = tasuki::allreduce(grid.rank(), tasuki::Max{}, row);
  CartesianTeam along(const std::vector<int>& dimensions) const;

 private:
  void check_dimension(int dimension) const;

  layout::Grid grid_;
  std::vector<bool> periods_;
};

}  // namespace tasuki
