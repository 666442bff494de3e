#include "transport/shm/idle_policy.hpp"

#include <sched.h>

#include <algorithm>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <utility>

namespace tasuki::transport::shm {
namespace {

/// Calls that only poll, without even reading the clock: a few microseconds, longer than any
/// answer takes from a rank that is awake.
constexpr std::uint64_t first_polls = 1000;

/// A yield that lasts so long gave the core to something that computes, for its whole time slice
/// (2.8 ms and more where this was measured; a kernel with shorter slices does not come so far, and
/// the rank goes on yielding). While that is so, a rank that yields waits a slice each time, and
/// one that sleeps is let in sooner when it is woken: beside compilers (10 runnable processes on 2
/// cores) the runtime's test suite takes 4 ranks 2 s, and 17 s if they always yield.
constexpr std::int64_t crowded_yield_ns = 2'500'000;
/// How long it counts as being so: at first as little as what the yield cost, for it may have been
/// another rank that computed just then; twice as long each time the next yield is no better.
constexpr std::int64_t shortest_crowded_ns = 2'000'000;
constexpr std::int64_t longest_crowded_ns = 128'000'000;
/// If the node's ranks had at least so much of the cores, it was one of them that computed; then
/// yielding is right, and each sleep would interrupt the others. 8 ranks on 2 cores need 2.2 ms for
/// an alltoall of 512 KiB and 3.4 ms if they sleep (`tasuki bench collectives -n 8`). One busy
/// process beside them leaves them at most 0.9 of two cores: it has a share like a rank's.
constexpr double own_share = 0.95;

}  // namespace

IdlePolicy IdlePolicy::from_settings(bool oversubscribed, CpuShare ranks) {
  IdlePolicy policy;
  policy.ranks_ = std::move(ranks);
  const bool spin = !oversubscribed || base::setting::spin_us.is_set();
  policy.spin_ns_ = spin ? base::setting::spin_us.integer() * 1000 : 0;
  policy.sleep_after_ns_ = base::setting::sleep_after_us.integer() * 1000;
  policy.polls_ = policy.spin_ns_ > 0 ? first_polls : 0;
  return policy;
}

IdlePolicy::Step IdlePolicy::next(std::uint64_t idle_count) noexcept {
  const bool new_period = idle_count <= last_count_;
  last_count_ = idle_count;
  if (new_period) idle_since_ns_ = 0;
  if (idle_count < polls_) return Step::poll;
  const std::int64_t now_ns = base::now_ns();
  if (idle_since_ns_ == 0) idle_since_ns_ = now_ns;
  const std::int64_t idle_ns = now_ns - idle_since_ns_;
  if (idle_ns < spin_ns_) return Step::pause;
  if (idle_ns >= sleep_after_ns_ || now_ns < crowded_until_ns_) return Step::sleep;
  yielded_ns_ = now_ns;
  return Step::yield;
}

bool IdlePolicy::pass(Step step) {
  if (step == Step::pause) base::cpu_pause();
  if (step == Step::yield) {
    ::sched_yield();
    end_yield();
  }
  return step == Step::sleep;
}

void IdlePolicy::end_yield() {
  const std::int64_t now_ns = base::now_ns();
  if (now_ns - yielded_ns_ < crowded_yield_ns || ranks_.since_last_call() >= own_share) {
    crowded_for_ns_ = 0;
    return;
  }
  crowded_for_ns_ = std::clamp(2 * crowded_for_ns_, shortest_crowded_ns, longest_crowded_ns);
  crowded_until_ns_ = now_ns + crowded_for_ns_;
}

}  // namespace tasuki::transport::shm
