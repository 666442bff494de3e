// The scheduler: non-preemptive fibers of one rank, a FIFO ready queue and one poller.
//
// Called by the runtime. One object per rank, used from one thread only; in loopback several
// objects live in that thread and the transport switches between them.
//
// The poller is a fiber that runs `PollerHooks::step` (take arrivals, call handlers inline) and
// `idle`. A handler that blocks keeps the poller's stack and becomes an ordinary fiber
// ("promotion"); polling resumes on a fresh fiber. After each handler `step` must therefore ask
// `is_poller()` and return at once when it is false.
//
// Thread-safety: none; one thread per object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <tasuki/fiber/wait_reason.hpp>

namespace tasuki::fiber {

struct Fiber;  ///< Opaque; valid from spawn until its entry returns.

/// What the poller does; both get `self`.
struct PollerHooks {
  void* self = nullptr;
  /// Takes arrivals and runs handlers; true if anything was done.
  bool (*step)(void* self) = nullptr;
  /// Called when nothing is ready and `step` did nothing; `idle_count` counts such calls in a row.
  void (*idle)(void* self, std::uint64_t idle_count) = nullptr;
};

struct SchedulerOptions {
  std::size_t stack_bytes = 256 * 1024;
  std::size_t pooled_stacks_count = 256;  ///< Free stacks kept for reuse.
};

class Scheduler {
 public:
  Scheduler(const SchedulerOptions& options, const PollerHooks& hooks);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Runs `main(argument)` as the first fiber on the calling thread's own stack, with polling
  /// whenever it waits; returns when it returns. Fibers still alive then are dropped unfinished
  /// only by the destructor (the runtime quiesces first).
  void run(void (*main)(void*), void* argument);

  /// Makes a fiber that will run `entry(argument)`; it goes to the end of the ready queue.
  /// Exceptions must not leave `entry`.
  Fiber* spawn(void (*entry)(void*), void* argument, const char* label = "");

  Fiber* current() noexcept { return current_; }
  /// Is the running code on the poller's own stack, i.e. not promoted?
  bool is_poller() const noexcept { return current_ == poller_; }

  /// Lets other ready fibers run and polls at least once, then continues.
  void yield();
  /// The running fiber waits until somebody calls `make_ready` on it; `reason` is kept for the
  /// hang report while it waits. On the poller's stack this promotes the running handler.
  void suspend(const WaitReason& reason);
  /// Requires: `fiber` is suspended and not yet made ready.
  void make_ready(Fiber* fiber);

  bool anything_ready() const noexcept { return ready_first_ != nullptr; }
  std::size_t live_count() const noexcept { return live_count_; }  ///< Without the poller.
  std::uint64_t switch_count() const noexcept { return switch_count_; }

  /// Describes the running handler for the hang report (set by the runtime around each handler;
  /// stays with the fiber on promotion).
  void set_activity(const Activity& activity) noexcept;

  /// Calls `visit(context, activity, reason)` for each waiting fiber, oldest first.
  void for_each_waiting(void (*visit)(void* context, const Activity&, const WaitReason&),
                        void* context) const;

 private:
  Fiber* current_ = nullptr;
  Fiber* poller_ = nullptr;
  Fiber* ready_first_ = nullptr;
  Fiber* ready_last_ = nullptr;
  std::size_t live_count_ = 0;
  std::uint64_t switch_count_ = 0;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tasuki::fiber
