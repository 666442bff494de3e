// Clocks: monotonic nanoseconds for everybody, and the processor's own pause instruction.
//
// Thread-safety: any thread.
#pragma once

#include <chrono>
#include <cstdint>

namespace tasuki::base {

/// Set where time is simulated (by the transport, at its start): gives the simulated time.
inline std::int64_t (*simulated_now_ns)() noexcept = nullptr;

/// Monotonic time in nanoseconds, real or simulated; about 20 ns a call.
inline std::int64_t now_ns() noexcept {
  if (simulated_now_ns != nullptr) [[unlikely]]
    return simulated_now_ns();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Tells the processor that this is a spin loop.
inline void cpu_pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

}  // namespace tasuki::base
