// The time limits of the waits of one rank, in the order in which they run out.
//
// Owned by Waits. Each add and remove takes as long as a search in a balanced tree, so thousands of
// waits may have a limit. Thread-safety: none; the rank's own thread.
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <tasuki/detail/fiber/scheduler.hpp>
#include <tasuki/detail/runtime/waiting/wait_queue.hpp>

namespace tasuki::runtime {

/// A fiber that waits in `queue`, but not for ever.
struct TimedWaiter : Waiter {
  WaitQueue<>* queue = nullptr;
  bool is_overdue = false;  ///< It was woken because the time was over.
};

class Timers {
 public:
  bool empty() const noexcept { return timers_.empty(); }
  /// Monotonic. Requires: not empty.
  std::int64_t next_deadline_ns() const noexcept { return timers_.begin()->deadline_ns; }
  void add(std::int64_t deadline_ns, TimedWaiter& waiter) {
    timers_.insert({deadline_ns, &waiter});
  }
  /// `deadline_ns` is that of `add`.
  void remove(std::int64_t deadline_ns, TimedWaiter& waiter) noexcept {
    timers_.erase({deadline_ns, &waiter});
  }
  /// Takes those whose time is over out of their queues and wakes them.
  void fire(fiber::Scheduler& scheduler);

 private:
  struct Timer {
    std::int64_t deadline_ns;
    TimedWaiter* waiter;
    auto operator<=>(const Timer&) const = default;
  };

  std::set<Timer> timers_;
};

}  // namespace tasuki::runtime
