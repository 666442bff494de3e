// A quantile of samples. Thread-safety: pure function.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tasuki::bench {

/// The greatest sample below which there are at most this share of the others.
/// Requires: there are samples.
inline double quantile(std::vector<double> samples, double share) {
  std::sort(samples.begin(), samples.end());
  return samples[static_cast<std::size_t>(share * static_cast<double>(samples.size() - 1))];
}

}  // namespace tasuki::bench
