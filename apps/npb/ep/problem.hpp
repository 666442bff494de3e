// The problems of NPB EP: how many pairs of random numbers, and the sums that they must give.
//
// Called by the node and the report. Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "npb/common/options.hpp"

namespace tasuki::npb::ep {

struct Problem {
  int pair_count_bits = 0;  ///< log2 of the number of pairs.
  double sum_x = 0;         ///< Of the first of all pairs' deviates ...
  double sum_y = 0;         ///< ... and of the second ...
  double tolerance = 1e-8;  ///< ... with this relative error.

  std::int64_t pair_count() const noexcept { return std::int64_t{1} << pair_count_bits; }
  /// Random numbers that are drawn, as NPB counts for its Mop/s.
  double operations() const noexcept { return 2.0 * static_cast<double>(pair_count()); }
};

inline Problem problem_of(ProblemClass problem_class) noexcept {
  switch (problem_class) {
    case ProblemClass::s:
      return {24, -3.247834652034740e3, -6.958407078382297e3};
    case ProblemClass::w:
      return {25, -2.863319731645753e3, -6.320053679109499e3};
    case ProblemClass::a:
      return {28, -4.295875165629892e3, -1.580732573678431e4};
    case ProblemClass::b:
      return {30, 4.033815542441498e4, -2.660669192809235e4};
    case ProblemClass::c:
      return {32, 4.764367927995374e4, -8.084072988043731e4};
  }
  return {};
}

}  // namespace tasuki::npb::ep
