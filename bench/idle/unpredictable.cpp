#include "idle/unpredictable.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <tasuki/predict.hpp>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "idle/comparison.hpp"
#include "micro/timing.hpp"

namespace tasuki::bench {
namespace {

using predict::Mode;

std::mt19937 random_numbers;

int random_below(int limit) {
  return static_cast<int>(random_numbers() % static_cast<unsigned>(limit));
}

/// Takes as long for each argument, so that no argument is worth more than another.
template <int work_ns>
int scramble(const int& seed) {
  constexpr double ns_per_step = 1.5;
  auto value = static_cast<std::uint32_t>(seed);
  for (int step = 0; step < static_cast<int>(work_ns / ns_per_step); ++step) {
    value = value * 1664525U + 1013904223U;  // Numerical Recipes in C (1992), section 7.1.
  }
  return static_cast<int>(value);
}

template <int work_ns>
int speculated_scramble(int seed) {
  return predict::speculate(scramble<work_ns>, seed);
}

int wait_or_not(int does_wait) {
  if (does_wait != 0) yield();
  return does_wait;
}

std::size_t take(const std::vector<std::byte>& argument) { return argument.size(); }

/// Until the next call, so that rank 1 has time to do something ahead.
void pause() {
  constexpr int pause_ns_most = 2000;
  for (int left_ns = random_below(pause_ns_most); left_ns > 0; left_ns -= 100) {
    [[maybe_unused]] const volatile int kept = scramble<100>(left_ns);
  }
}

/// One of several functions, with an argument that follows no rule, after a random pause.
void call_at_random() {
  constexpr int kinds_count = 4;
  constexpr int seeds_count = 1'000'000;
  constexpr int bytes_most = 4096;
  switch (random_below(kinds_count)) {
    case 0:
      invoke(1, wait_or_not, random_below(2));
      break;
    case 1:
      invoke(1, speculated_scramble<300>, random_below(seeds_count));
      break;
    case 2:
      invoke(1, speculated_scramble<3000>, random_below(seeds_count));
      break;
    default:
      invoke(1, take, std::vector<std::byte>(static_cast<std::size_t>(random_below(bytes_most))));
  }
  pause();
}

template <int work_ns>
void call_scramble() {
  constexpr int seeds_count = 1'000'000;
  invoke(1, speculated_scramble<work_ns>, random_below(seeds_count));
  pause();
}

void compare_modes(const char* name, void (*call)()) {
  compare({fmt::format("unpredictable: {}", name), Mode::guarded, Mode::off, call, call});
}

}  // namespace

void measure_unpredictable() {
  compare_modes("calls that wait or not", [] {
    invoke(1, wait_or_not, random_below(2));
    pause();
  });
  compare_modes("results of 0.3 us", call_scramble<300>);
  compare_modes("results of 3 us", call_scramble<3000>);
  compare_modes("results of 30 us", call_scramble<30'000>);
  compare_modes("all of these, and arguments up to 4 KiB", call_at_random);
}

}  // namespace tasuki::bench
