// How to wait where it is known how long: what an oracle would do, to compare the wait policy with.
//
// Asked as next_step is, by whoever has the waits of an earlier run. Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include <tasuki/detail/predict/wait_policy.hpp>

namespace tasuki::predict {

/// A sleep lasts at most so long, as the run may differ from the earlier one: a message that comes
/// too early is then 1 ms late at most. Waking up so often takes 2.7 us of 1.07 ms, 0.3 %
/// (`bench_predict`: a switch to another thread and back, a sleep of 1 ms).
inline constexpr std::int64_t known_sleep_most_ns = 1'000'000;

/// What to do next in a wait that is expected to end in `remaining_ns`; less than 0 if that should
/// have been before. `is_oversubscribed`: as of next_step.
WaitStep known_step(std::int64_t remaining_ns, bool is_oversubscribed,
                    const WaitLimits& limits = {}) noexcept;

}  // namespace tasuki::predict
