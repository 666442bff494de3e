// The gas and the difference scheme of NPB SP: constants of the specification.
//
// Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, 1994, section 3.3. Called by the right
// side and the line solver. Thread-safety: values.
#pragma once

#include <array>
#include <cstdint>

#include "npb/common/axes.hpp"
#include "npb/sp/problem.hpp"

namespace tasuki::npb::sp {

/// The ratio of the gas's heat capacities.
inline constexpr double heat_ratio = 1.4;
inline constexpr double viscosity = 0.1;
/// How much faster than momentum heat spreads, and momentum along its own direction.
inline constexpr double heat_spreading = heat_ratio * 1.4;
inline constexpr double own_spreading = 4.0 / 3;
/// Of the scheme: second differences by axis, and fourth differences.
inline constexpr std::array<double, axis_count> diffusion{0.75, 0.75, 1.0};
inline constexpr double dissipation = 0.25;

struct Scheme {
  explicit Scheme(const Problem& problem) noexcept
      : edge(problem.edge),
        step_size(problem.step_size),
        first(static_cast<double>(edge - 1) / 2),
        second(static_cast<double>((edge - 1) * (edge - 1))),
        viscous(viscosity * second) {}

  std::int64_t edge;  ///< Points along each axis.
  double step_size;   ///< In time.
  double first;       ///< 1 / (2 h): of a first difference, h being the distance of two points.
  double second;      ///< 1 / h^2: of a second one.
  double viscous;     ///< Of a second difference of velocities.
};

/// Weights of a point's neighbours along an axis, from two below to two above.
struct Weights {
  double below_2 = 0;
  double below_1 = 0;
  double centre = 0;
  double above_1 = 0;
  double above_2 = 0;
};

/// Of a fourth difference; near the boundary one that does without the points there.
constexpr Weights fourth_difference(std::int64_t at, std::int64_t edge) noexcept {
  if (at == 1) return {0, 0, 5, -4, 1};
  if (at == 2) return {0, -4, 6, -4, 1};
  if (at == edge - 3) return {1, -4, 6, -4, 0};
  if (at == edge - 2) return {1, -4, 5, 0, 0};
  return {1, -4, 6, -4, 1};
}

}  // namespace tasuki::npb::sp
