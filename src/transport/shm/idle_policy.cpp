#include "transport/shm/idle_policy.hpp"

#include <tasuki/base/clock.hpp>
#include <tasuki/base/settings.hpp>

namespace tasuki::transport::shm {
namespace {

/// Calls that only look, without even reading the clock: a few microseconds, longer than any
/// answer takes from a rank that is awake.
constexpr std::uint64_t first_looks = 1000;

}  // namespace

IdlePolicy IdlePolicy::from_settings(bool oversubscribed) {
  IdlePolicy policy;
  const bool spin = !oversubscribed || base::setting::spin_us.is_set();
  policy.spin_ns_ = spin ? base::setting::spin_us.integer() * 1000 : 0;
  policy.sleep_after_ns_ = base::setting::sleep_after_us.integer() * 1000;
  policy.looks_ = policy.spin_ns_ > 0 ? first_looks : 0;
  return policy;
}

IdlePolicy::Step IdlePolicy::next(std::uint64_t idle_count) noexcept {
  const bool new_period = idle_count <= last_count_;
  last_count_ = idle_count;
  if (new_period) idle_since_ns_ = 0;
  if (idle_count < looks_) return Step::look;
  const std::int64_t now_ns = base::now_ns();
  if (idle_since_ns_ == 0) idle_since_ns_ = now_ns;
  const std::int64_t idle_ns = now_ns - idle_since_ns_;
  if (idle_ns < spin_ns_) return Step::pause;
  return idle_ns < sleep_after_ns_ ? Step::yield : Step::sleep;
}

}  // namespace tasuki::transport::shm
