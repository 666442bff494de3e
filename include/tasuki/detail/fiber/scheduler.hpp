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
#include <cstring>
#include <memory>

#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/fiber/fiber.hpp>
#include <tasuki/detail/fiber/wait_reason.hpp>

namespace tasuki::fiber {

/// What the poller does; both get `self`.
struct PollerHooks {
  void* self = nullptr;
  /// Takes arrivals and runs handlers; true if anything was done.
  bool (*step)(void* self) = nullptr;
  /// Called when nothing is ready and `step` did nothing; `idle_count` counts the calls before
  /// this one since something was last done.
  void (*idle)(void* self, std::uint64_t idle_count) = nullptr;
};

struct SchedulerOptions {
  std::size_t stack_bytes = 256 * 1024;   ///< Usable bytes; rounded up to whole pages.
  std::size_t pooled_stacks_count = 256;  ///< Free stacks that keep their memory for reuse.
};

class Scheduler {
 public:
  /// Throws tasuki::error if the stacks are smaller than `stack_min_bytes` or there is no memory.
  Scheduler(const SchedulerOptions& options, const PollerHooks& hooks);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  static constexpr std::size_t stack_min_bytes = 16 * 1024;

  /// Runs `main(argument)` as the first fiber on the calling thread's own stack, with polling
  /// whenever it waits; returns when it returns, and passes on what it throws. Fibers still alive
  /// then are dropped unfinished only by the destructor (the runtime quiesces first); a further
  /// `run` goes on with them.
  void run(void (*main)(void*), void* argument);

  /// Makes a fiber that will run `entry(argument)`; it goes to the end of the ready queue.
  /// Returns: the fiber, valid until `entry` returns. Throws tasuki::error if there is no memory
  /// for a stack. Exceptions must not leave `entry`.
  Fiber* spawn(void (*entry)(void*), void* argument, const char* label = "");

  /// The running fiber; nullptr outside `run`.
  Fiber* current() noexcept { return current_; }
  /// Is the running code on the poller's own stack, i.e. not promoted?
  bool is_poller() const noexcept { return current_ == poller_; }

  /// Does `address` lie where the stacks are that the running code may have variables on: its
  /// fiber's, and the one that `run` was called on? Requires: called inside `run`.
  bool is_near_frames(std::uintptr_t address) const noexcept {
    const Fiber& self = *current_;
    return address - reinterpret_cast<std::uintptr_t>(self.stack_bottom) < self.stack_bytes ||
           address - main_stack_first_ < main_stack_bytes_;
  }
  /// Does it lie in their frames, whose functions have not returned? Implies is_near_frames.
  bool is_in_frames(std::uintptr_t address) const noexcept;

  /// Lets other ready fibers run and polls at least once, then continues. On the poller's stack
  /// this promotes the running handler, as in `suspend`.
  void yield() noexcept;
  /// The running fiber waits until somebody calls `make_ready` on it; `reason` is kept for the
  /// hang report while it waits. On the poller's stack this promotes the running handler; the
  /// process ends with a message if there is no memory for a new poller's stack.
  void suspend(const WaitReason& reason) noexcept {
    note_reason(reason);
    suspend();
  }
  /// The same in two steps. Inlined, so that whoever makes a reason stores it where it stays: a
  /// copy of words that have just been stored in parts waits until all stores before them have
  /// left the core, messages to other ranks too (a cache miss each).
  void note_reason(const WaitReason& reason) noexcept { current_->reason = reason; }
  void suspend() noexcept;
  /// Requires: `fiber` is suspended and not yet made ready.
  void make_ready(Fiber* fiber) noexcept {
    TASUKI_DEBUG_ASSERT(fiber->next != nullptr);
    fiber->previous->next = fiber->next;
    fiber->next->previous = fiber->previous;
    fiber->next = nullptr;
    push_ready(fiber);
  }

  /// Takes the stack of the next poller now, so that the next promotion need not. Nothing to do if
  /// that is done already. Returns: false if there is no memory for it.
  bool prepare_promotion() noexcept;
  bool is_promotion_prepared() const noexcept { return next_poller_ != nullptr; }

  /// Is there a fiber, other than the running one and the poller, that can run?
  bool anything_ready() const noexcept {
    return ready_first_ != nullptr && (ready_first_ != poller_ || poller_->ready_next != nullptr);
  }
  std::size_t live_count() const noexcept { return live_count_; }  ///< Without the poller.
  /// Is an exception on its way on the running fiber, as std::uncaught_exceptions() tells in more
  /// time? Requires: called on the thread that made this, or runs it.
  bool is_unwinding() const noexcept {
    ExceptionState now;
    std::memcpy(&now, exceptions_, sizeof now);
    return now.uncaught_count != 0;
  }
  std::uint64_t switch_count() const noexcept { return switch_count_; }

  /// Describes the running handler for the hang report (set by the runtime around each handler;
  /// stays with the fiber on promotion). Requires: called inside `run`.
  void set_activity(const Activity& activity) noexcept { current_->activity = activity; }
  const Activity& activity() const noexcept { return current_->activity; }

  /// Calls `visit(context, activity, reason)` for each waiting fiber, oldest first, then for each
  /// fiber that yielded (`WaitKind::yielded`), next to run first.
  void for_each_waiting(void (*visit)(void* context, const Activity&, const WaitReason&),
                        void* context) const;

 private:
  void push_ready(Fiber* fiber) noexcept {
    fiber->ready_next = nullptr;
    *ready_end_ = fiber;
    ready_end_ = &fiber->ready_next;
  }
  Fiber* pop_ready() noexcept;
  Fiber* new_fiber(void (*entry)(void*), void* argument, const char* label);
  Fiber* promote() noexcept;
  void leave_for(Fiber* next, bool frames_are_gone) noexcept;
  void switch_to(Fiber* next) noexcept;
  Fiber* poll();
  Fiber* finish() noexcept;

  Fiber* current_ = nullptr;
  Fiber* poller_ = nullptr;
  Fiber* next_poller_ = nullptr;  ///< After the next promotion, if it is prepared.
  Fiber* previous_ = nullptr;     ///< The fiber switched away from, until the next has noted it.
  Fiber* ready_first_ = nullptr;  ///< Holds the poller exactly when the poller does not run.
  Fiber** ready_end_ = &ready_first_;
  /// The stack that `run` was called on, at least as far as its frames reach.
  std::uintptr_t main_stack_first_ = 0;
  std::size_t main_stack_bytes_ = 0;
  void* exceptions_;  ///< The exception state of the thread that made this, or runs it.
  std::uint64_t switch_count_ = 0;
  std::size_t live_count_ = 0;
  WaitLink waiting_{&waiting_, &waiting_};  ///< Oldest at `next`.
  PollerHooks hooks_;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tasuki::fiber
