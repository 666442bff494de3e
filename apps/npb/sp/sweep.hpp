// One cell's part of a sweep: its lines along an axis, in blocks that lie side by side.
//
// Along y and z the neighbours of a line are next to it in memory. Along x they are not: blocks are
// transposed on their way in and out. Called by the solver. Thread-safety: one per rank; its calls
// are for its own thread.
#pragma once

#include <vector>

#include "npb/sp/elimination.hpp"
#include "npb/sp/waves.hpp"

namespace tasuki::npb::sp {

class Sweep {
 public:
  Sweep(const Scheme& scheme, Axis axis, const Cell& cell);

  std::size_t rows() const noexcept { return weights_.size(); }
  std::size_t blocks() const noexcept { return planes_ * blocks_of_plane_; }
  std::size_t lanes(std::size_t block) const noexcept;

  /// The way up of a block, whose lines have begun or are continued.
  void eliminate(const Cell& cell, std::size_t block, Elimination& elimination);
  /// The way down, when their ends are known.
  void substitute(std::size_t block, Elimination& elimination) const;
  /// The solutions become the waves along the next axis, in the place of the right side, or after
  /// the last axis the new state. Changes the elimination.
  void finish(Cell& cell, std::size_t block, Elimination& elimination) const;

 private:
  /// Where a block lies: a plane across y or z, and a range along the axis that lies in the plane
  /// with the lines' own.
  struct Place {
    std::ptrdiff_t plane = 0;
    std::ptrdiff_t begin = 0;
    std::size_t lanes = 0;
  };

  Place place_of(std::size_t block) const noexcept;
  Lines lines_along_x(const Cell& cell, const Place& place);
  Lines lines_across_x(const Cell& cell, const Place& place) const;
  void turn_along_x(Cell& cell, const Place& place, Elimination& elimination) const;

  Scheme scheme_;
  Axis axis_;
  Axis plane_axis_;  ///< Across the planes.
  Axis lane_axis_;   ///< From line to line.
  Span planes_range_;
  Span lanes_range_;
  Span rows_range_;
  std::vector<Weights> weights_;  ///< By row.
  std::size_t planes_;
  std::size_t lines_of_plane_;
  std::size_t blocks_of_plane_;
  apps::HugeArray<double> transposed_;  ///< Along x only.
  apps::HugeArray<double> line_;        ///< Waves of one line along x.
};

}  // namespace tasuki::npb::sp
