// Timing of one sample: the mean over a loop, on this rank's clock.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>
#include <tasuki/detail/base/clock.hpp>

namespace tasuki::bench {

/// Runs `body` so many times; nanoseconds each.
template <class Body>
double mean_ns(int repetitions, Body body) {
  const std::int64_t start_ns = base::now_ns();
  for (int i = 0; i < repetitions; ++i) body();
  return static_cast<double>(base::now_ns() - start_ns) / repetitions;
}

}  // namespace tasuki::bench
