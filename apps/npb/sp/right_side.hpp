// The right side of NPB SP's equations on one cell: how much the state changes in a step.
//
// The compressible Navier-Stokes equations by central differences (Bailey et al., The NAS Parallel
// Benchmarks, RNR-94-007, 1994, section 3.3). Called by the solver. Thread-safety: one per cell.
#pragma once

#include <vector>

#include "npb/sp/cell.hpp"
#include "npb/sp/scheme.hpp"

namespace tasuki::npb::sp {

class RightSide {
 public:
  RightSide(const Scheme& scheme, const Cell& cell);

  /// Sets the forcing so that the right side of the present state is 0.
  void set_forcing(Cell& cell) const;

  /// Sets the fields that follow from the state, and the right side of the cell's interior. The
  /// state of the layers around the cell must be there.
  void find(Cell& cell) const;

 private:
  void add_differences(Cell& cell, std::size_t component, std::ptrdiff_t y, std::ptrdiff_t z) const;
  void add_mass_flow(Cell& cell, std::ptrdiff_t y, std::ptrdiff_t z) const;
  void add_momentum_flow(Cell& cell, Axis axis, std::ptrdiff_t y, std::ptrdiff_t z) const;
  void add_energy_flow(Cell& cell, std::ptrdiff_t y, std::ptrdiff_t z) const;

  Scheme scheme_;
  /// Of the second and fourth differences of the state together, by point along each axis.
  std::array<std::vector<Weights>, axis_count> weights_;
  /// Those along x again, each kind by itself.
  std::array<std::vector<double>, 5> x_weights_;
};

/// The sums of the squares of the right side, by component.
Components squared_right_side(const Cell& cell);

}  // namespace tasuki::npb::sp
