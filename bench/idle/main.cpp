// bench_idle: what is gained by what a rank does ahead while it is idle, and by what it does not do
// because it gains nothing. The numbers of docs/design/prediction.md are made by this program:
// tasuki run -n 2 -- build/release/bin/bench_idle
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <tasuki/predict.hpp>
#include <tasuki/tasuki.hpp>
#include <utility>
#include <vector>

#include "idle/scattered_functions.hpp"
#include "micro/timing.hpp"

namespace tasuki::bench {
namespace {

using predict::Mode;
using runtime::IdleWork;
using runtime::Rank;

constexpr int pairs_count = 200;
constexpr int calls_per_sample = 500;
constexpr std::size_t line_bytes = 64;

/// On each rank, for use in turn.
struct Works {
  Works() = default;
  ~Works() { Rank::current().idle_work = before; }
  Works(const Works&) = delete;
  Works& operator=(const Works&) = delete;

  IdleWork* before = Rank::current().idle_work;
  IdleWork off{Rank::current(), Mode::off};
  IdleWork on{Rank::current(), Mode::guarded};
  IdleWork always{Rank::current(), Mode::always};
};
Works* works = nullptr;
/// From rank 1 to rank 0.
transport::Lane* lane_back = nullptr;

void use(Mode mode) {
  Rank::current().idle_work = mode == Mode::off      ? &works->off
                              : mode == Mode::always ? &works->always
                                                     : &works->on;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// Times a call of rank 1 both ways, in turn, and prints the difference in pairs of samples.
struct Comparison {
  std::string name;
  Mode mode_with;
  Mode mode_without;
  std::function<void()> call_with;
  std::function<void()> call_without;
};

double sample_ns(Mode mode, const std::function<void()>& call) {
  use(mode);
  invoke(1, use, mode);
  return mean_ns(calls_per_sample, [&] { call(); });
}

void compare(const Comparison& comparison) {
  if (rank() == 0) {
    std::vector<double> without;
    std::vector<double> differences;
    for (int pair = 0; pair < pairs_count; ++pair) {
      std::array<double, 2> ns{};
      for (const int turn : {pair % 2, 1 - pair % 2}) {
        ns[static_cast<std::size_t>(turn)] =
            turn == 0 ? sample_ns(comparison.mode_without, comparison.call_without)
                      : sample_ns(comparison.mode_with, comparison.call_with);
      }
      without.push_back(ns[0]);
      differences.push_back(ns[1] - ns[0]);
    }
    constexpr double half = 0.5;
    constexpr double quarter = 0.25;
    fmt::print("{:<44} {:>8.0f} {:>8.1f} {:>8.1f} {:>8.1f}\n", comparison.name,
               quantile(without, half), quantile(differences, half), quantile(differences, quarter),
               quantile(differences, 1 - quarter));
  }
  barrier();
}

// ---- the calls -----------------------------------------------------------------------------

int add_one(int value) { return value + 1; }

int add_one_on_a_fiber(int value) {
  yield();
  return value + 1;
}

/// About a microsecond of arithmetic.
double harmonic(const int& number) {
  double sum = 0;
  for (int i = 1; i <= number; ++i) sum += 1.0 / i;
  return sum;
}

double speculated_harmonic(int number) { return predict::speculate(harmonic, number); }

template <std::size_t block_bytes>
struct Block {
  std::array<std::uint64_t, block_bytes / sizeof(std::uint64_t)> words;
};

/// While it computes "ahead" it does what the runtime does not: fetches the lines of the ring that
/// the next answer will be written to.
template <std::size_t block_bytes, bool fetches>
int fetch_lines(const int& /*call*/) {
  if constexpr (fetches) {
    transport::Lane& lane = *lane_back;
    constexpr std::size_t bytes = block_bytes + line_bytes;
    std::byte* const slot = lane.acquire(bytes);
    if (slot == nullptr) return 0;
    // Not the first one, which the reader polls.
    for (std::size_t at = line_bytes; at < bytes; at += line_bytes) {
      __builtin_prefetch(slot + at, 1);
    }
    lane.commit(0);
  }
  return 0;
}

template <std::size_t block_bytes, bool fetches>
Block<block_bytes> answer(int call) {
  predict::speculate(fetch_lines<block_bytes, fetches>, call);
  Block<block_bytes> block;
  block.words.fill(static_cast<std::uint64_t>(call));
  return block;
}

/// Likewise the code of the function that is called next.
template <bool fetches>
int fetch_code(const int& call) {
  if constexpr (fetches) {
    const auto* const code = reinterpret_cast<const char*>(scattered_function(call));
    for (std::size_t at = 0; at < scattered_function_bytes; at += line_bytes) {
      __builtin_prefetch(code + at);
    }
  }
  return 0;
}

template <bool fetches>
int run_scattered(int call) {
  predict::speculate(fetch_code<fetches>, call);
  return scattered_function(call)(call);
}

// ---- long arguments ------------------------------------------------------------------------

/// Pages that this process has asked the system for.
long page_faults_count() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

std::size_t take(const std::vector<std::byte>& argument) { return argument.size(); }

/// Rank 1 keeps the memory of a long argument for the next one; rank 0, which sends it, does not.
void measure_long_calls() {
  constexpr std::size_t bytes_in_kib = 1024;
  constexpr int calls_count = 20;
  if (rank() == 0) {
    fmt::print("\n{:<44} {:>8} {:>12} {:>12}\n", "a call with an argument of", "us", "faults of 0",
               "faults of 1");
    for (const std::size_t kib : {64, 256, 1024, 4096, 16384}) {
      const std::vector<std::byte> argument(kib * bytes_in_kib);
      // malloc learns from the first calls which blocks are freed.
      for (int call = 0; call < 3; ++call) (void)invoke(1, take, argument);
      const long here_before = page_faults_count();
      const long there_before = invoke(1, page_faults_count);
      const double ns = mean_ns(calls_count, [&] { (void)invoke(1, take, argument); });
      constexpr double ns_per_us = 1000;
      fmt::print("{:>40} KiB {:>8.0f} {:>12} {:>12}\n", kib, ns / ns_per_us,
                 (page_faults_count() - here_before) / calls_count,
                 (invoke(1, page_faults_count) - there_before) / calls_count);
    }
  }
  barrier();
}

// ---- the comparisons -----------------------------------------------------------------------

template <class Function>
std::function<void()> calls_of(Function function) {
  static int call = 0;
  return [function] { (void)invoke(1, function, ++call); };
}

template <std::size_t block_bytes>
Comparison answers_of() {
  return {fmt::format("not done: lines of an answer of {} B", block_bytes), Mode::always,
          Mode::always, calls_of(answer<block_bytes, true>), calls_of(answer<block_bytes, false>)};
}

void compare_all() {
  Works own;
  works = &own;
  lane_back = &Rank::current().transport.lane(0);
  fmt::print("{}", rank() == 0 ? fmt::format("{:<44} {:>8} {:>8} {:>8} {:>8}\n", "ns of a call",
                                             "without", "more", "1st qu.", "3rd qu.")
                               : "");
  compare({"a stack, the called function waits", Mode::guarded, Mode::off,
           calls_of(add_one_on_a_fiber), calls_of(add_one_on_a_fiber)});
  compare({"a stack, the called function does not wait", Mode::guarded, Mode::off,
           calls_of(add_one), calls_of(add_one)});
  const auto with_pause = [](auto function, int step) {
    static int number = 0;
    return [function, step] {
      number = (number + step) % 1000;
      (void)invoke(1, function, 500 + number);
      static_cast<void>(harmonic(500));
    };
  };
  compare({"a result of 1 us, expected", Mode::guarded, Mode::off,
           with_pause(speculated_harmonic, 1), with_pause(speculated_harmonic, 1)});
  compare({"a result of 1 us, never expected", Mode::guarded, Mode::off,
           with_pause(speculated_harmonic, 347), with_pause(speculated_harmonic, 347)});
  compare(answers_of<256>());
  compare(answers_of<1024>());
  compare(answers_of<4096>());
  compare({"not done: code of the next function", Mode::always, Mode::always,
           calls_of(run_scattered<true>), calls_of(run_scattered<false>)});
  measure_long_calls();
}

}  // namespace
}  // namespace tasuki::bench

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] { tasuki::bench::compare_all(); });
}
