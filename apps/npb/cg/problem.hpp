// The problems of NPB CG: sizes and the values they must give.
//
// Called by the matrix generator, the solver and the report. Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "npb/common/options.hpp"

namespace tasuki::npb::cg {

struct Problem {
  std::int32_t order = 0;             ///< Rows of the matrix.
  std::int32_t vector_nonzeros = 0;   ///< Of each random vector whose outer product is added.
  std::int32_t iterations = 0;        ///< Of the power method.
  double shift = 0;                   ///< Subtracted from the diagonal.
  double zeta = 0;                    ///< The eigenvalue estimate to be reached ...
  double tolerance = 1e-10;           ///< ... with this relative error.
  double condition_reciprocal = 0.1;  ///< Smallest weight of an outer product; the largest is 1.
  std::int32_t solver_steps = 25;     ///< Conjugate gradient steps per iteration.

  /// Floating-point operations of the timed part as NPB counts them for its Mop/s.
  double operations() const noexcept {
    const double row = vector_nonzeros * (vector_nonzeros + 1.0);
    return 2.0 * iterations * order * (3 + row + solver_steps * (5 + row) + 3);
  }
};

inline Problem problem_of(ProblemClass problem_class) noexcept {
  switch (problem_class) {
    case ProblemClass::s:
      return {1400, 7, 15, 10, 8.5971775078648};
    case ProblemClass::w:
      return {7000, 8, 15, 12, 10.362595087124};
    case ProblemClass::a:
      return {14000, 11, 15, 20, 17.130235054029};
    case ProblemClass::b:
      return {75000, 13, 75, 60, 22.712745482631};
    case ProblemClass::c:
      return {150000, 15, 75, 110, 28.973605592845};
  }
  return {};
}

}  // namespace tasuki::npb::cg
