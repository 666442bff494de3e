// A fence between all reads and writes before it and all after it.
//
// Called where a rank writes what another reads and then reads what that one wrote (the fence of
// remote writes, the doorbells of shared memory). Thread-safety: any thread.
#pragma once

#include <atomic>

namespace tasuki::base {

/// std::atomic_thread_fence(seq_cst). The thread sanitizer does not model fences, so what they
/// order has to be atomic, or ordered by something else as well, in builds with it.
inline void full_fence() noexcept {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wtsan"
  std::atomic_thread_fence(std::memory_order_seq_cst);
#pragma GCC diagnostic pop
}

}  // namespace tasuki::base
