// The grids of one rank's box from a coarsest to a finest level, and how a correction is found.
//
// Algorithm: the V-cycle without smoothing on the way down (Bailey et al., The NAS Parallel
// Benchmarks, RNR-94-007, 1994, section 2.3.2). Called by the solver. Thread-safety: one per rank;
// its calls are collective over the ranks among which the halo divides the grids.
#pragma once

#include <vector>

#include "npb/mg/operators.hpp"

namespace tasuki::npb::mg {

/// The equation A u = r of a level.
struct Level {
  explicit Level(const Box& box) : u(box), r(box) {}

  Grid u;
  Grid r;
};

/// `Halo` fills the layer around a grid.
template <class Halo>
class Levels {
 public:
  /// `box_of(level)` is this rank's.
  template <class BoxOf>
  Levels(int coarsest, int finest, const Stencil& smoother, Halo halo, BoxOf box_of)
      : coarsest_(coarsest), smoother_(smoother), halo_(halo) {
    for (int level = coarsest; level <= finest; ++level) levels_.emplace_back(box_of(level));
  }

  Level& operator[](int level) { return levels_[static_cast<std::size_t>(level - coarsest_)]; }

  /// Solves A u = r of the level roughly, having the coarsest solved by `solve(coarsest)`. Keeps
  /// no r.
  template <class Solve>
  void correct(int number, Solve& solve) {
    Level& level = (*this)[number];
    if (number == coarsest_) return solve(level);
    Level& coarser = (*this)[number - 1];
    project(level.r, coarser.r);
    halo_(coarser.r);
    correct(number - 1, solve);
    level.u.clear();
    improve(coarser.u, level.r, level.r, level.u);
  }

  /// Solves A u = r by the smoother alone.
  void relax(Level& level) {
    level.u.clear();
    smooth(smoother_, level.r, level.u);
    halo_(level.u);
  }

  /// Takes a correction over from the next coarser level: u of A u = v; `r` gets the residual
  /// before the smoothing.
  void improve(const Grid& correction, const Grid& v, Grid& r, Grid& u) {
    interpolate(correction, u);
    find_residual(u, v, r);
    halo_(r);
    smooth(smoother_, r, u);
    halo_(u);
  }

 private:
  int coarsest_;
  Stencil smoother_;
  Halo halo_;
  std::vector<Level> levels_;
};

}  // namespace tasuki::npb::mg
