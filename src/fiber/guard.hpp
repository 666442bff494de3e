// The guard: turns the overflow of a stack, or a fault in memory that is touched for another rank
// (served_memory.hpp), into one message that says so.
//
// Used by Scheduler. Handles the signals of signal_report.hpp for the whole process on an alternate
// stack, and lets the report there say what was running; what it does not explain itself, also
// faults of wrong pointers below a stack, then goes to the handler that was there before.
//
// Thread-safety: any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tasuki::fiber {

class StackPool;
struct Fiber;

/// While it lives, it is recognised if the fiber that `*running` then points to overflows its
/// stack, which is of `pool`.
class GuardWatch {
 public:
  GuardWatch(const StackPool* pool, const Fiber* const* running);
  ~GuardWatch();
  GuardWatch(const GuardWatch&) = delete;
  GuardWatch& operator=(const GuardWatch&) = delete;

 private:
  friend struct GuardHandler;
  const StackPool* pool_;
  const Fiber* const* running_;
  GuardWatch* next_ = nullptr;
};

/// Where a stack lies.
struct StackRange {
  std::uintptr_t first = 0;
  std::size_t bytes = 0;  ///< 0: not known.
};

/// Gives the calling thread an alternate signal stack if it has none, and notes where its stack is.
/// Returns: the stack that the system gave this thread.
StackRange prepare_thread_for_guard();

}  // namespace tasuki::fiber
