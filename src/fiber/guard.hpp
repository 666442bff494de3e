// The guard: turns a fault in the guard below a fiber's stack into one message that says so.
//
// Used by Scheduler. Handles SIGSEGV and SIGBUS of the whole process on an alternate stack; what
// is no stack overflow goes to the handler that was there before.
//
// Thread-safety: any thread.
#pragma once

namespace tasuki::fiber {

class StackPool;

/// While it lives, faults in the guards of `pool` are recognised.
class GuardWatch {
 public:
  explicit GuardWatch(const StackPool* pool);
  ~GuardWatch();
  GuardWatch(const GuardWatch&) = delete;
  GuardWatch& operator=(const GuardWatch&) = delete;

 private:
  friend struct GuardHandler;
  const StackPool* pool_;
  GuardWatch* next_ = nullptr;
};

/// Gives the calling thread an alternate signal stack if it has none.
void prepare_thread_for_guard();

}  // namespace tasuki::fiber
