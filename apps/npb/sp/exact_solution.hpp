// The exact solution of NPB SP's equations, a polynomial, and the state from which the steps start.
//
// Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, 1994, section 3.2. Called by the solver.
// Thread-safety: pure functions on their arguments.
#pragma once

#include "npb/sp/cell.hpp"

namespace tasuki::npb::sp {

/// At a place of the unit cube (polynomials go on beyond it).
Components exact_solution(double x, double y, double z) noexcept;

/// The state becomes the exact solution, also around the cell.
void set_exact_solution(std::int64_t edge, Cell& cell);

/// The state becomes the initial one: exact on the boundary of the whole grid, and mixed from the
/// exact values on its six faces elsewhere.
void set_initial_state(std::int64_t edge, Cell& cell);

/// The sums of the squares, by component, of the state's distance from the exact solution.
Components squared_error(std::int64_t edge, const Cell& cell);

}  // namespace tasuki::npb::sp
