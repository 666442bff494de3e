// The clock of events: the processor's own counter where it is steady, else CLOCK_MONOTONIC.
//
// Thread-safety: any thread.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace tasuki::events {

/// The counter now. It takes half the time of a clock_gettime, of which each call needs two.
inline std::uint64_t ticks_now() noexcept {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  std::uint64_t ticks = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#endif
}

/// Ticks per second, as measured against CLOCK_MONOTONIC for about a millisecond.
double measured_ticks_per_second() noexcept;

/// CLOCK_MONOTONIC and CLOCK_REALTIME, in nanoseconds.
std::uint64_t monotonic_ns() noexcept;
std::uint64_t realtime_ns() noexcept;

}  // namespace tasuki::events
