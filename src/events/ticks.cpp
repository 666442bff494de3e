#include "events/ticks.hpp"

#include <ctime>

namespace tasuki::events {
namespace {

constexpr std::uint64_t ns_per_second = 1'000'000'000;
/// The two readings of a pair lie 20 to 50 ns apart, so this gives the rate to 1 in 10,000.
constexpr std::uint64_t measured_ns = 1'000'000;

std::uint64_t clock_ns(clockid_t clock) noexcept {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * ns_per_second +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

std::uint64_t monotonic_ns() noexcept { return clock_ns(CLOCK_MONOTONIC); }
std::uint64_t realtime_ns() noexcept { return clock_ns(CLOCK_REALTIME); }

double measured_ticks_per_second() noexcept {
#if defined(__aarch64__)
  std::uint64_t frequency = 0;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
  return static_cast<double>(frequency);
#else
  const std::uint64_t begin_ns = monotonic_ns();
  const std::uint64_t begin_ticks = ticks_now();
  std::uint64_t end_ns = begin_ns;
  while (end_ns - begin_ns < measured_ns) end_ns = monotonic_ns();
  const std::uint64_t ticks = ticks_now() - begin_ticks;
  return static_cast<double>(ticks) * static_cast<double>(ns_per_second) /
         static_cast<double>(end_ns - begin_ns);
#endif
}

}  // namespace tasuki::events
