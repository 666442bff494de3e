// A rank's block of the stencil: each cell of one grid takes a weighted sum of its neighbours, at
// most two cells away along each dimension, of another grid, which then changes (Van der Wijngaart
// and Mattson, The Parallel Research Kernels, 2014).
//
// The forms over Tasuki and over MPI have these loops in common, compiled once, and differ in how
// the ranks exchange halos. Thread-safety: the rank's own thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::bench::kernels {

constexpr std::int64_t stencil_radius = 2;
constexpr int stencil_steps = 400;

/// The ranks along each dimension, the first one as MPI_Dims_create chooses it.
struct StencilGrid {
  std::array<int, 2> extents;
  std::array<int, 2> coordinates;  ///< Of this rank.
};

class StencilBlock {
 public:
  /// Each rank has `side` x `side` cells. Requires: side > 2 * stencil_radius.
  StencilBlock(const StencilGrid& grid, std::int64_t side);

  /// The cells that are read, row by row, with a halo as wide as the stencil's radius.
  std::vector<double>& cells() noexcept { return cells_; }
  std::int64_t side() const noexcept { return side_; }
  std::int64_t row_length() const noexcept { return side_ + 2 * stencil_radius; }
  /// Where a cell is in `cells`; the halo has indices below 0 and from `side` on.
  std::size_t place(std::int64_t i, std::int64_t j) const noexcept {
    return static_cast<std::size_t>((i + stencil_radius) * row_length() + j + stencil_radius);
  }

  /// Adds the weighted sums to all cells whose sums need no halo, and then to the others.
  void add_inner();
  void add_outer();
  /// Changes the cells that are read.
  void step();
  bool is_right(int steps) const;

 private:
  void add(std::int64_t first_i, std::int64_t last_i, std::int64_t first_j, std::int64_t last_j);

  std::int64_t side_;
  std::vector<double> cells_;
  std::vector<double> sums_;
  /// The cells that have all neighbours: those of the whole grid but its border.
  std::array<std::int64_t, 2> firsts_, lasts_;
};

}  // namespace tasuki::bench::kernels
