// Tells whether a rank is still there, without asking the kernel: a lock in shared memory that the
// rank's thread holds as long as it lives, and that the kernel gives up when it ends, however that
// happens and in whichever name space (a robust mutex; "Robust futexes", Linux Documentation).
//
// Lives in shared memory, one per rank; zero bytes are one that nobody holds.
// Thread-safety: `hold` and `let_go` by the owner's thread, `is_cut` by anybody else.
#pragma once

#include <pthread.h>

namespace tasuki::transport::shm {

class Lifeline {
 public:
  /// From now on `is_cut` is false for the others. Throws tasuki::error.
  void hold();
  /// Requires: held by this thread.
  void let_go() noexcept;
  /// Has the owner ended, or let go? Requires: the owner has held it. Costs one locked instruction.
  bool is_cut() noexcept;

 private:
  pthread_mutex_t mutex_;
};

}  // namespace tasuki::transport::shm
