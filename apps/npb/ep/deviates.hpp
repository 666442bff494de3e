// Sums of pairs of Gaussian deviates, made of uniform random numbers.
//
// Algorithm: Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, 1994, section 2.3.1, with the
// polar method (Marsaglia, Bray, A convenient method for generating normal variables, SIAM Review
// 6, 1964). Called by the node. Thread-safety: a pure function.
#pragma once

#include <array>
#include <cstddef>

#include "common/partition.hpp"

namespace tasuki::npb::ep {

inline constexpr std::size_t annulus_count = 10;

struct DeviateSums {
  double x = 0;
  double y = 0;
  /// How many pairs lie in the square annulus l <= max(|x|, |y|) < l + 1, by l; whole numbers.
  /// No pair of any class lies farther out than the last annulus.
  std::array<double, annulus_count> annuli{};
};

/// Draws the pairs of uniform numbers that `pairs` names among all, and sums the deviates of those
/// that lie in the unit circle.
DeviateSums sum_deviates(apps::Range pairs);

}  // namespace tasuki::npb::ep
