#include <tasuki/detail/predict/fixed_wait.hpp>

namespace tasuki::predict {

WaitStep fixed_step(std::int64_t elapsed_ns, const FixedTimes& times) noexcept {
  if (elapsed_ns < times.spin_ns) return {WaitAction::spin, times.spin_ns - elapsed_ns};
  if (elapsed_ns < times.yield_until_ns) return {WaitAction::yield, 0};
  return {WaitAction::sleep, times.sleep_ns};
}

}  // namespace tasuki::predict
