// How many durations were how long, for operators' graphs.
//
// Owned by the counters of calls. Thread-safety: none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tasuki::rpc {

class SecondsHistogram {
 public:
  /// The upper ends of the buckets; what is longer than the last is in none but `count()`.
  static constexpr std::array<double, 10> bounds_s = {1e-4, 3e-4, 1e-3, 3e-3, 1e-2,
                                                      0.1,  1.0,  10.0, 60.0, 600.0};

  void add(double seconds, std::int64_t count = 1) noexcept {
    for (std::size_t i = 0; i < bounds_s.size(); ++i) {
      if (seconds <= bounds_s[i]) counts_[i] += count;
    }
    count_ += count;
    sum_s_ += seconds * static_cast<double>(count);
  }

  /// Returns: how many were at most bounds_s[index].
  std::int64_t count_within(std::size_t index) const noexcept { return counts_[index]; }
  std::int64_t count() const noexcept { return count_; }
  double sum_s() const noexcept { return sum_s_; }

 private:
  std::array<std::int64_t, bounds_s.size()> counts_{};
  std::int64_t count_ = 0;
  double sum_s_ = 0;
};

}  // namespace tasuki::rpc
