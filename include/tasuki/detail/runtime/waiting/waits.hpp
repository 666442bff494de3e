// The waits of one rank: its fibers, what each of them waits for, and what has to happen before one
// of them lets the others run.
//
// Everything that makes a fiber wait comes here: a `Waiter` in a queue that somebody wakes, a
// condition that the poller checks, a time limit. World makes one object, before all other parts of
// the rank, and its poller calls `wake_ready` and `wake_overdue`.
//
// Thread-safety: none. Waits belong to the thread that runs the rank; `current()` throws on any
// other thread.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <tasuki/detail/fiber/scheduler.hpp>
#include <tasuki/detail/runtime/waiting/timers.hpp>
#include <tasuki/detail/runtime/waiting/wait_queue.hpp>
#include <tasuki/detail/transport/transport.hpp>
#include <utility>
#include <vector>

namespace tasuki::runtime {

class Continuations;
class FutureCore;

/// Messages that are being filled. They leave before a fiber waits, for others may be waiting for
/// what is in them.
class Unsent {
 public:
  bool empty() const noexcept { return open_ranks_.empty(); }
  virtual void flush() = 0;

 protected:
  ~Unsent() = default;

  std::vector<int> open_ranks_;  ///< Those for which a message is being filled.
};

/// A coroutine that waits for a future, for the hang report.
struct SuspendedCoroutine : Waiter {
  fiber::Activity activity;                       ///< What it does.
  const fiber::WaitReason* own_reason = nullptr;  ///< Why one waits for it.
  const fiber::WaitReason* reason = nullptr;      ///< Why it waits.
};

[[noreturn]] void throw_no_rank();

/// Reports a failure that nobody has got, of what `reason` waits for, and ends the job unless an
/// exception on its way tells the program.
using ReportUnheard = void (*)(const fiber::WaitReason& reason, const std::exception_ptr& failure,
                               bool ends_job);

class Waits {
 public:
  /// The transport is asked only to end the job.
  Waits(transport::Transport& transport, const fiber::PollerHooks& poller);
  ~Waits();
  Waits(const Waits&) = delete;
  Waits& operator=(const Waits&) = delete;

  /// Those of the rank that the calling thread runs. Throws tasuki::error if it runs none.
  static Waits& current() {
    if (current_ == nullptr) [[unlikely]] {
      throw_no_rank();
    }
    return *current_;
  }
  static Waits* current_or_null() noexcept { return current_; }
  static void set_current(Waits* waits) noexcept { current_ = waits; }

  fiber::Scheduler& scheduler() noexcept { return scheduler_; }
  const fiber::Scheduler& scheduler() const noexcept { return scheduler_; }
  Continuations& continuations() noexcept { return *continuations_; }
  /// What all futures of nothing share that are ready from the start.
  FutureCore& ready_state() const noexcept { return *ready_state_; }
  /// Those that wait.
  WaitQueue<SuspendedCoroutine>& coroutines() noexcept { return coroutines_; }
  const WaitQueue<SuspendedCoroutine>& coroutines() const noexcept { return coroutines_; }
  /// Before the first fiber waits.
  void set_unsent(Unsent& unsent) noexcept { unsent_ = &unsent; }
  void set_report_unheard(ReportUnheard report) noexcept { report_unheard_ = report; }
  ReportUnheard report_unheard() const noexcept { return report_unheard_; }

  // ---- for fibers -----------------------------------------------------------------------------
  /// Waits in `queue` until somebody takes `waiter` out and wakes it.
  template <class Entry>
  void wait_in(WaitQueue<Entry>& queue, Entry& waiter, const fiber::WaitReason& reason) noexcept {
    // After a promotion the running fiber is still the same object, so it may be asked for before.
    waiter.fiber = scheduler_.current();
    queue.add(waiter);
    suspend(reason);
  }
  /// The same, but gives up at `deadline_ns` (monotonic). Requires: the queue lives until then.
  void wait_in_until(WaitQueue<>& queue, std::int64_t deadline_ns, const fiber::WaitReason& reason);
  /// Waits until `ready()`, which the poller asks.
  template <class Ready>
  void wait_until(const Ready& ready, const fiber::WaitReason& reason) {
    if (ready()) return;
    struct ReadyWatch : Watch {
      const Ready* condition;
    };
    ReadyWatch watch;
    watch.condition = &ready;
    watch.ready = [](const Watch* self) {
      return (*static_cast<const ReadyWatch*>(self)->condition)();
    };
    wait_in<Watch>(watches_, watch, reason);
  }
  /// Lets other fibers and arrivals run. What is unsent leaves before.
  void yield();
  /// `waiter`, which is in no queue any more, runs on.
  void wake(const Waiter& waiter) noexcept { scheduler_.make_ready(waiter.fiber); }
  /// Wakes the first of `queue`. Requires: there is one.
  template <class Entry>
  void wake_first(WaitQueue<Entry>& queue) noexcept {
    Entry& first = *queue.first();
    queue.remove(first);
    wake(first);
  }
  /// Wakes all of `queue`, the youngest first.
  void wake_all(WaitQueue<>& queue) noexcept {
    while (Waiter* const last = queue.last()) {
      queue.remove(*last);
      wake(*last);
    }
  }

  // ---- for called functions -------------------------------------------------------------------
  /// Says what the poller's running handler does; a handler that waits keeps it.
  void set_served(const fiber::Activity& activity) noexcept {
    served_ = activity;
    serving_ = &served_;
  }
  /// It has ended.
  void end_served() noexcept { serving_ = nullptr; }
  const fiber::Activity& served() const noexcept {
    return serving_ == nullptr ? no_activity : *serving_;
  }
  /// What the running code does, be it a handler that has not waited or a fiber.
  const fiber::Activity& activity() const noexcept {
    return scheduler_.is_poller() ? served() : scheduler_.activity();
  }
  void set_activity(const fiber::Activity& activity) noexcept {
    if (scheduler_.is_poller()) {
      set_served(activity);
    } else {
      scheduler_.set_activity(activity);
    }
  }
  /// The same for one that lives as long as the program, which the poller need not copy.
  void set_lasting_activity(const fiber::Activity& activity) noexcept {
    if (scheduler_.is_poller()) {
      serving_ = &activity;
    } else {
      scheduler_.set_activity(activity);
    }
  }

  // ---- for the poller -------------------------------------------------------------------------
  /// Wakes those whose condition holds.
  void wake_ready() {
    if (!watches_.empty()) check_watches();
  }
  /// Wakes those whose time is over.
  void wake_overdue() {
    if (!timers_.empty()) timers_.fire(scheduler_);
  }
  const Timers& timers() const noexcept { return timers_; }

 private:
  friend class NoWaits;

  struct Watch : Waiter {
    bool (*ready)(const Watch* self) = nullptr;
  };
  /// What is unsent leaves, then waits until somebody makes the running fiber ready. What fails
  /// meanwhile ends the job.
  void suspend(const fiber::WaitReason& reason) noexcept {
    scheduler_.note_reason(reason);
    suspend();
  }
  void suspend() noexcept;
  void flush_or_end_job() noexcept;
  void before_switch() noexcept;
  void check_watches();

  static constexpr fiber::Activity no_activity{};
  static constinit thread_local Waits* current_ __attribute__((tls_model("initial-exec")));

  transport::Transport& transport_;
  fiber::Scheduler scheduler_;
  Unsent* unsent_ = nullptr;
  ReportUnheard report_unheard_ = nullptr;
  fiber::Activity served_;
  const fiber::Activity* serving_ = nullptr;  ///< What is in served_, if it has not ended; another.
  void (*refuse_wait_)() noexcept = nullptr;  ///< Of the NoWaits that lives.
  WaitQueue<Watch> watches_;
  WaitQueue<SuspendedCoroutine> coroutines_;
  Timers timers_;
  std::unique_ptr<Continuations> continuations_;
  FutureCore* ready_state_;  ///< Counted: the program may keep futures for longer.
};

/// While one lives, code of the program runs on this thread that must not let others run. If it
/// does, `refuse` is called, which ends the job: others know already whom to wake.
class NoWaits {
 public:
  explicit NoWaits(void (*refuse)() noexcept) noexcept : waits_(Waits::current_or_null()) {
    if (waits_ != nullptr) before_ = std::exchange(waits_->refuse_wait_, refuse);
  }
  ~NoWaits() {
    if (waits_ != nullptr) waits_->refuse_wait_ = before_;
  }
  NoWaits(const NoWaits&) = delete;
  NoWaits& operator=(const NoWaits&) = delete;

 private:
  Waits* waits_;
  void (*before_)() noexcept = nullptr;
};

}  // namespace tasuki::runtime
