// Clocks: monotonic nanoseconds for everybody, and the processor's own pause instruction.
//
// Thread-safety: any thread.
#pragma once

#include <cstdint>
#include <ctime>

namespace tasuki::base {

/// The clock of a job that does not go by the machine's; set by the transport, at its start.
inline std::int64_t (*job_clock_ns)() noexcept = nullptr;

/// Monotonic time in nanoseconds, that of std::chrono::steady_clock; about 20 ns a call.
inline std::int64_t now_ns() noexcept {
  if (job_clock_ns != nullptr) [[unlikely]]
    return job_clock_ns();
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
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
