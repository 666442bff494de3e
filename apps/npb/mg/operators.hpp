// The four operators of multigrid on one rank's boxes, and the norm.
//
// Operators: Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, 1994, section 2.3.2. All read
// the layer around their input, and write the box without the layer around it, unless they say
// otherwise. Called by the solver. Thread-safety: pure functions on their arguments.
#pragma once

#include "npb/mg/grid.hpp"
#include "npb/mg/problem.hpp"

namespace tasuki::npb::mg {

/// A line of the largest problem, with the layer.
inline constexpr std::size_t most_line_points = (std::size_t{1} << 9) + 2;

/// r = v - A u. `r` may be `v`.
void find_residual(const Grid& u, const Grid& v, Grid& r);

/// u += S r, with the stencil `smoother`.
void smooth(const Stencil& smoother, const Grid& r, Grid& u);

/// coarse = P fine: half weight on the point itself, and half of that with each step away.
void project(const Grid& fine, Grid& coarse);

/// fine += Q coarse, trilinear; also in the layer around it.
void interpolate(const Grid& coarse, Grid& fine);

/// The sum of the squares.
double squared_norm(const Grid& r);

}  // namespace tasuki::npb::mg
