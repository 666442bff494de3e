// The problems of NPB MG: sizes, the smoother, and the norm that the residual must have.
//
// Called by the layout, the solver and the report. Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "npb/common/options.hpp"

namespace tasuki::npb::mg {

/// Weights of a stencil of 27 points that depend on the distance alone.
struct Stencil {
  double centre = 0;
  double face = 0;
  double edge = 0;
  double corner = 0;
};

/// The discrete Laplacian. It has no weight on faces, nor a smoother one on corners.
inline constexpr Stencil laplacian{-8.0 / 3, 0, 1.0 / 6, 1.0 / 12};

struct Problem {
  int edge_bits = 0;   ///< log2 of the grid's points along each axis: the finest level.
  int iterations = 0;  ///< V-cycles.
  double norm = 0;     ///< Of the last residual ...
  Stencil smoother{};
  double tolerance = 1e-8;  ///< ... with this relative error.

  std::int64_t points() const noexcept { return std::int64_t{1} << (3 * edge_bits); }
  /// Floating-point operations of the timed part as NPB counts them for its Mop/s.
  double operations() const noexcept { return 58.0 * iterations * static_cast<double>(points()); }
};

inline Problem problem_of(ProblemClass problem_class) noexcept {
  constexpr Stencil small{-3.0 / 8, 1.0 / 32, -1.0 / 64, 0};
  constexpr Stencil large{-3.0 / 17, 1.0 / 33, -1.0 / 61, 0};
  switch (problem_class) {
    case ProblemClass::s:
      return {5, 4, 0.5307707005734e-4, small};
    case ProblemClass::w:
      return {7, 4, 0.6467329375339e-5, small};
    case ProblemClass::a:
      return {8, 4, 0.2433365309069e-5, small};
    case ProblemClass::b:
      return {8, 20, 0.1800564401355e-5, large};
    case ProblemClass::c:
      return {9, 20, 0.5706732285740e-6, large};
  }
  return {};
}

}  // namespace tasuki::npb::mg
