// Samples whose ranks did not begin together say more about the machine than about the collective.
// Thread-safety: pure functions.
#pragma once

#include <vector>

namespace tasuki::measure {

/// A measured batch of calls.
struct Sample {
  double call_ns = 0;        ///< Of one call, on the slowest rank.
  double batch_ns = 0;       ///< Of the whole batch, on the slowest rank.
  double late_start_ns = 0;  ///< Between the starts of the first and of the last rank.
};

/// The part of a batch that may have passed when the last rank begins it.
inline constexpr double late_most = 0.1;

/// The times of calls of the samples that all ranks began together. If most are late, then it is no
/// exception here (ranks share cores, or their clocks differ), and all count.
std::vector<double> punctual(const std::vector<Sample>& samples);

}  // namespace tasuki::measure
