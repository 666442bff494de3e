// Which rank of MG holds which box of the grids, and who its neighbours are.
//
// The ranks form a box, of a power of two along each axis, and each level's grid is divided evenly
// among them. Grids of fewer points along an axis than there are ranks are not divided. Called by
// the solver and the exchanges. Thread-safety: const calls.
#pragma once

#include <array>
#include <cstdint>

#include "npb/common/axes.hpp"

namespace tasuki::npb::mg {

class Layout {
 public:
  /// Throws usage_error if `ranks` is no power of two, or so large that the level
  /// below the finest has fewer points along an axis than ranks.
  Layout(int edge_bits, int rank, int ranks);

  int rank() const noexcept { return rank_; }
  int ranks() const noexcept { return ranks_[x_axis] * ranks_[y_axis] * ranks_[z_axis]; }
  int ranks_along(Axis axis) const noexcept { return ranks_[axis]; }
  /// Of this rank along the axis; the grids are periodic, so there is always one.
  int neighbour(Axis axis, Side side) const noexcept;

  /// The level of the whole problem; level l has 2^l points along each axis.
  int finest_level() const noexcept { return finest_level_; }
  /// The coarsest of which each rank has a part.
  int coarsest_divided_level() const noexcept;
  /// The points of a divided level that `rank` holds.
  Box box(int level, int rank) const noexcept;
  Box box(int level) const noexcept { return box(level, rank_); }

 private:
  using Place = std::array<int, axis_count>;

  Place place_of(int rank) const noexcept;

  int finest_level_;
  int rank_;
  Place ranks_{};  ///< Along each axis.
};

}  // namespace tasuki::npb::mg
