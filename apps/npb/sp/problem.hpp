// The problems of NPB SP: sizes, and the norms of the residual and of the error at the end.
//
// Called by the scheme, the solver and the report. Thread-safety: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "npb/common/options.hpp"

namespace tasuki::npb::sp {

/// Density, three momenta and energy.
inline constexpr std::size_t component_count = 5;
using Components = std::array<double, component_count>;

struct Problem {
  std::int64_t edge = 0;  ///< Points along each axis.
  int steps = 0;
  double step_size = 0;     ///< In time.
  Components residual{};    ///< Norms of the last right side, by component ...
  Components error{};       ///< ... and of the distance from the exact solution ...
  double tolerance = 1e-8;  ///< ... with this relative error.

  /// Floating-point operations of the timed part as NPB counts them for its Mop/s.
  double operations() const noexcept {
    const auto n = static_cast<double>(edge);
    return (881.174 * n * n * n - 4683.91 * n * n + 11484.5 * n - 19272.4) * steps;
  }
};

inline Problem problem_of(ProblemClass problem_class) noexcept {
  switch (problem_class) {
    case ProblemClass::s:
      return {12,
              100,
              0.015,
              {2.7470315451339479e-2, 1.0360746705285417e-2, 1.6235745065095532e-2,
               1.5840557224455615e-2, 3.4849040609362460e-2},
              {2.7289258557377227e-5, 1.0364446640837285e-5, 1.6154798287166471e-5,
               1.5750704994480102e-5, 3.4177666183390531e-5}};
    case ProblemClass::w:
      return {36,
              400,
              0.0015,
              {.1893253733584e-2, .1717075447775e-3, .2778153350936e-3, .2887475409984e-3,
               .3143611161242e-2},
              {.7542088599534e-4, .6512852253086e-5, .1049092285688e-4, .1128838671535e-4,
               .1212845639773e-3}};
    case ProblemClass::a:
      return {64,
              400,
              0.0015,
              {2.4799822399300195, 1.1276337964368832, 1.5028977888770491, 1.4217816211695179,
               2.1292113035138280},
              {1.0900140297820550e-4, 3.7343951769282091e-5, 5.0092785406541633e-5,
               4.7671093939528255e-5, 1.3621613399213001e-4}};
    case ProblemClass::b:
      return {102,
              400,
              0.001,
              {69.03293579998, 30.95134488084, 41.03336647017, 38.64769009604, 56.43482272596},
              {.9810006190188e-2, .1022827905670e-2, .1720597911692e-2, .1694479428231e-2,
               .1847456263981e-1}};
    case ProblemClass::c:
      return {162,
              400,
              0.00067,
              {588.1691581829, 245.4417603569, 329.3829191851, 308.1924971891, 459.7223799176},
              {.2598120500183, .2590888922315e-1, .5132886416320e-1, .4806073419454e-1,
               .5483377491301}};
  }
  return {};
}

}  // namespace tasuki::npb::sp
