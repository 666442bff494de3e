// How to wait without any prediction: spin, then yield, then sleep, by fixed times.
//
// What the wait policy is compared with. Asked as next_step is. Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include <tasuki/detail/predict/wait_policy.hpp>

namespace tasuki::predict {

/// The measured times are those of WaitLimits.
struct FixedTimes {
  /// A switch to another rank and back takes 2.6 us.
  std::int64_t spin_ns = 3'000;
  /// A sleep ends 75 us late. After a millisecond that makes a wait longer by an eighth at most.
  std::int64_t yield_until_ns = 1'000'000;
  /// The kernel's timer slack; shorter sleeps are not to be had.
  std::int64_t sleep_ns = 50'000;
};

/// What to do next in a wait that has lasted for `elapsed_ns`.
WaitStep fixed_step(std::int64_t elapsed_ns, const FixedTimes& times = {}) noexcept;

}  // namespace tasuki::predict
