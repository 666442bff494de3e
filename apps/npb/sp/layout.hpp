// Which rank of SP holds which cells of the grid: the multipartition scheme.
//
// The grid is cut into p^3 cells for p^2 ranks, so that every rank has one cell in each layer of
// cells across each axis, and the neighbours of its cells in a direction all belong to one rank: in
// each stage of a sweep along an axis all ranks compute (Naik, A scalable implementation of the NAS
// parallel benchmark BT on distributed memory systems, IBM Systems Journal 34, 1995). Called by the
// solver and the exchanges. Thread-safety: const calls.
#pragma once

#include "npb/common/axes.hpp"

namespace tasuki::npb::sp {

class Layout {
 public:
  /// Throws usage_error if `ranks` is no square, or so large that cells have less than three points
  /// along an axis.
  Layout(std::int64_t edge, int rank, int ranks);

  std::int64_t edge() const noexcept { return edge_; }
  int ranks() const noexcept { return width_ * width_; }
  int rank() const noexcept { return rank_; }
  /// Cells of each rank, and cells along each axis.
  int cells() const noexcept { return width_; }
  /// The points of this rank's cell with that number.
  Box box(int cell) const noexcept;
  /// The number of this rank's cell in that layer of cells across the axis.
  int cell_at(Axis axis, int stage) const noexcept;
  /// The rank with the cells that adjoin this rank's on that side. The first and last layers adjoin
  /// none.
  int neighbour(Axis axis, Side side) const noexcept;
  /// The most points of a cell along an axis.
  std::int64_t most_points() const noexcept { return (edge_ + width_ - 1) / width_; }

 private:
  int wrapped(int coordinate) const noexcept { return (coordinate + width_) % width_; }

  std::int64_t edge_;
  int rank_;
  int width_;  ///< Of the square of ranks.
};

}  // namespace tasuki::npb::sp
