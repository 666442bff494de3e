#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/runtime/waiting/timers.hpp>

namespace tasuki::runtime {

void Timers::fire(fiber::Scheduler& scheduler) {
  const std::int64_t now_ns = base::now_ns();
  while (!timers_.empty() && next_deadline_ns() <= now_ns) {
    TimedWaiter& waiter = *timers_.begin()->waiter;
    timers_.erase(timers_.begin());
    // Else somebody has woken the fiber meanwhile.
    if (!waiter.is_queued()) continue;
    waiter.queue->remove(waiter);
    waiter.is_overdue = true;
    scheduler.make_ready(waiter.fiber);
  }
}

}  // namespace tasuki::runtime
