// The lower quartile of samples: other load on the machine is left out. Thread-safety: pure
// function.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tasuki::bench {

/// Requires: there are samples.
inline double lower_quartile(std::vector<double> samples) {
  const auto quartile = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 4);
  std::ranges::nth_element(samples, quartile);
  return *quartile;
}

}  // namespace tasuki::bench
