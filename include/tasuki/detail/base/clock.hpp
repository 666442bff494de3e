// Clocks: monotonic nanoseconds for everybody, and the processor's own pause instruction.
//
// Thread-safety: any thread.
#pragma once

#include <chrono>
#include <cstdint>

namespace tasuki::base {

/// The clock of a job that does not go by the machine's; set by the transport, at its start.
inline std::int64_t (*job_clock_ns)() noexcept = nullptr;

/// Monotonic time in nanoseconds; about 20 ns a call.
inline std::int64_t now_ns() noexcept {
  if (job_clock_ns != nullptr) [[unlikely]]
    return job_clock_ns();
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
