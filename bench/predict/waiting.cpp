#include "predict/waiting.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/predict/guard.hpp>
#include <tasuki/detail/predict/wait_policy.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "predict/quartile.hpp"

namespace tasuki::bench {
namespace {

constexpr int samples_count = 500;

/// Prints what one of `repetitions` calls takes.
template <class Body>
void measure(const char* name, int repetitions, Body body) {
  std::vector<double> samples;
  for (int sample = 0; sample < samples_count; ++sample) {
    const std::int64_t begin_ns = base::now_ns();
    for (int i = 0; i < repetitions; ++i) body();
    const auto elapsed_ns = static_cast<double>(base::now_ns() - begin_ns);
    samples.push_back(elapsed_ns / repetitions);
  }
  fmt::print("{:<44} {:>11.1f}\n", name, lower_quartile(std::move(samples)));
}

void stay_on_this_core() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
  sched_setaffinity(0, sizeof one, &one);
}

/// Two threads on one core that yield to each other.
void measure_yield_to_another() {
  std::atomic<bool> go_on = true;
  std::thread other([&] {
    while (go_on.load(std::memory_order_relaxed)) sched_yield();
  });
  measure("yield to another thread and back", 100, [] { sched_yield(); });
  go_on = false;
  other.join();
}

}  // namespace

void measure_waiting() {
  fmt::print("\n{:<44} {:>11}\n", "waiting", "ns");
  stay_on_this_core();  // And the threads that it starts.
  measure("yield, nobody else wants the core", 100, [] { sched_yield(); });
  measure_yield_to_another();
  measure("sleep of 1 ms", 1, [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
  predict::WaitHistogram waits;
  for (std::int64_t wait_ns = 1; wait_ns < 1 << 30; wait_ns *= 3) waits.add(wait_ns);
  measure("a step of the wait policy", 1000, [&] {
    [[maybe_unused]] const volatile auto used = next_step(waits, 1000, true).duration_ns;
  });
  measure("a wait noted in the histogram", 1000, [&] { waits.add(1000); });
  predict::Guard guard;
  measure("a guard asked and told", 1000, [&] {
    if (guard.allows()) guard.record(1);
  });
}

}  // namespace tasuki::bench
