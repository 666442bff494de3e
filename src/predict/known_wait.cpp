#include <tasuki/detail/predict/known_wait.hpp>

#include <algorithm>

namespace tasuki::predict {

WaitStep known_step(std::int64_t remaining_ns, bool is_oversubscribed,
                    const WaitLimits& limits) noexcept {
  const std::int64_t sleep_ns = remaining_ns - limits.sleep_late_ns;
  if (sleep_ns >= limits.sleep_least_ns) {
    return {WaitAction::sleep, std::min(sleep_ns, known_sleep_most_ns)};
  }
  const bool ends_soon = remaining_ns >= 0 && remaining_ns < limits.spin_most_ns;
  if (is_oversubscribed && !ends_soon) return {WaitAction::yield, 0};
  return {WaitAction::spin, limits.spin_step_ns};
}

}  // namespace tasuki::predict
