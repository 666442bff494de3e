// How to wait for a message: poll on, let others run, or sleep.
//
// Asked again and again by whoever waits, between polls; it does nothing itself. Thread-safety:
// pure functions.
#pragma once

#include <cstdint>

#include <tasuki/detail/predict/wait_histogram.hpp>

namespace tasuki::predict {

enum class WaitAction : std::uint8_t { spin, yield, sleep };

struct WaitStep {
  WaitAction action;
  /// Of a sleep, how long to ask the system for; of spinning, how long to poll before the next
  /// step.
  std::int64_t duration_ns;
};

/// What decides. The times are those of `bench_predict` on two cores of an EPYC (family 26), Linux
/// 6.1, and rounded.
struct WaitLimits {
  /// Fewer waits say nothing of their distribution: of 64, one or two are shorter than `low_share`.
  std::uint32_t waits_least = 64;
  /// Of the waits that have lasted so long, so many may end during a sleep.
  double low_share = 0.02;
  /// A sleep lasts at most this part of the wait so far. So such a wait gets longer by a half at
  /// most, and all waits of a place together by `low_share` / 2, which is 1 %.
  double sleep_share = 0.5;
  /// The same where no wait has ever lasted so long, and nothing is known.
  double unknown_sleep_share = 0.01;
  /// A sleep ends so much later than asked: 50 us are the kernel's timer slack (measured: 66-79
  /// us).
  std::int64_t sleep_late_ns = 75'000;
  /// Shorter sleeps are mostly the way there and back.
  std::int64_t sleep_least_ns = 75'000;
  /// Where ranks share cores, one polls for about as long as a switch to another rank and back
  /// takes (measured: 2.6 us), as in competitive spinning (Karlin et al. 1991), and then yields.
  std::int64_t spin_most_ns = 3'000;
  /// Between two steps where nobody else needs the core. One step takes less than 50 ns.
  std::int64_t spin_step_ns = 1'000;
};

/// What to do next in a wait that has lasted for `elapsed_ns`. `waits`: of the same place of the
/// program. `is_oversubscribed`: have the ranks of this node fewer cores than there are ranks?
WaitStep next_step(const WaitHistogram& waits, std::int64_t elapsed_ns, bool is_oversubscribed,
                   const WaitLimits& limits = {}) noexcept;

}  // namespace tasuki::predict
