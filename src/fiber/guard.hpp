// The guard: turns a fault below a stack, or in memory that is touched for another rank
// (served_memory.hpp), into one message that says so.
//
// Used by Scheduler. Handles SIGSEGV and SIGBUS of the whole process on an alternate stack; other
// faults go to the handler that was there before.
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

/// Gives the calling thread an alternate signal stack if it has none, and notes where its stack is.
void prepare_thread_for_guard();

}  // namespace tasuki::fiber
