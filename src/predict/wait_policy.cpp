#include <tasuki/detail/predict/wait_policy.hpp>

#include <algorithm>
#include <optional>

namespace tasuki::predict {
namespace {

/// How long the rank may be away: it comes back before the message, or not much after it.
std::int64_t away_ns(const WaitHistogram& waits, std::int64_t elapsed_ns,
                     const WaitLimits& limits) noexcept {
  const auto elapsed = static_cast<double>(elapsed_ns);
  const std::optional<std::int64_t> low_ns = waits.remaining_ns(elapsed_ns, limits.low_share);
  if (!low_ns) return static_cast<std::int64_t>(elapsed * limits.unknown_sleep_share);
  if (waits.waits_count() < limits.waits_least) return 0;
  return std::min(*low_ns, static_cast<std::int64_t>(elapsed * limits.sleep_share));
}

/// Is it likely that the message comes while one may still spin on a shared core?
bool ends_soon(const WaitHistogram& waits, std::int64_t elapsed_ns,
               const WaitLimits& limits) noexcept {
  if (elapsed_ns >= limits.spin_most_ns) return false;
  const std::optional<std::int64_t> median_ns = waits.remaining_ns(elapsed_ns, 0.5);
  return !median_ns || elapsed_ns + *median_ns < limits.spin_most_ns;
}

}  // namespace

WaitStep next_step(const WaitHistogram& waits, std::int64_t elapsed_ns, bool is_oversubscribed,
                   const WaitLimits& limits) noexcept {
  const std::int64_t sleep_ns = away_ns(waits, elapsed_ns, limits) - limits.sleep_late_ns;
  if (sleep_ns >= limits.sleep_least_ns) return {WaitAction::sleep, sleep_ns};
  if (!is_oversubscribed) return {WaitAction::spin, limits.spin_step_ns};
  if (!ends_soon(waits, elapsed_ns, limits)) return {WaitAction::yield, 0};
  return {WaitAction::spin, std::min(limits.spin_step_ns, limits.spin_most_ns - elapsed_ns)};
}

}  // namespace tasuki::predict
