// Sums over all ranks by Tasuki, and the stopwatch of a rank's communication.
//
// The whole communication of EP over Tasuki, and the part that all kernels share. Thread-safety:
// one per rank; its sums are collective.
#pragma once

#include <span>

#include "common/measurement.hpp"
#include "common/tasuki_program.hpp"

namespace tasuki::npb {

class TasukiSums {
 public:
  explicit TasukiSums(bool split) noexcept : stopwatch_(apps::now_s, split) {}

  apps::Stopwatch& stopwatch() noexcept { return stopwatch_; }

  /// In place.
  void sum(std::span<double> values) {
    const apps::Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, values.size_bytes());
    allreduce(std::span<const double>(values), values, Sum());
  }

 private:
  apps::Stopwatch stopwatch_;
};

}  // namespace tasuki::npb
