// bench_idle: what is gained by what a rank does ahead while it is idle, and by what it does not do
// because it gains nothing. The numbers of docs/design/prediction.md are made by this program:
// tasuki run -n 2 -- build/release/bin/bench_idle
#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/predict.hpp>
#include <tasuki/tasuki.hpp>
#include <utility>
#include <vector>

#include "idle/comparison.hpp"
#include "idle/scattered_functions.hpp"
#include "idle/unpredictable.hpp"
#include "micro/quantile.hpp"
#include "micro/timing.hpp"

namespace tasuki::bench {
namespace {

using predict::Mode;
using runtime::Rank;

constexpr std::size_t line_bytes = 64;

/// From rank 1 to rank 0.
transport::Lane* lane_back = nullptr;

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

// ---- results that take long ----------------------------------------------------------------

/// About 20 us of arithmetic.
template <bool lets_messages_in>
double long_harmonic(const int& number) {
  constexpr int steps_between_calls = 128;
  double sum = 0;
  for (int i = 1; i <= 10'000 + number; ++i) {
    sum += 1.0 / i;
    if (lets_messages_in && i % steps_between_calls == 0) predict::let_messages_in();
  }
  return sum;
}

template <bool lets_messages_in>
double speculated_long_harmonic(int number) {
  return predict::speculate(long_harmonic<lets_messages_in>, number);
}

/// A call whose next argument is mostly not expected, and one right after it.
template <bool lets_messages_in>
void call_twice() {
  static int number = 0;
  number = (number + 347) % 1000;
  (void)invoke(1, speculated_long_harmonic<lets_messages_in>, number);
  (void)invoke(1, add_one, number);
}

/// The next argument is expected, and comes after half of the time that its result takes.
template <bool lets_messages_in>
void call_before_the_end() {
  static int number = 0;
  number = (number + 1) % 1000;
  (void)invoke(1, speculated_long_harmonic<lets_messages_in>, number);
  static_cast<void>(harmonic(5000));
}

// ---- single steps --------------------------------------------------------------------------

/// What a poll in between adds to a chunk of what is computed ahead; of the last result.
double ns_of_a_pause = 0;

int compute_in_chunks(const int& /*call*/) {
  constexpr int chunks_count = 1000;
  const double ns = mean_ns(chunks_count, [] {
    const std::int64_t until_ns = base::now_ns() + runtime::Speculations::chunk_ns;
    while (base::now_ns() < until_ns) {
    }
    predict::let_messages_in();
  });
  ns_of_a_pause = ns - static_cast<double>(runtime::Speculations::chunk_ns);
  return 0;
}

int speculated_chunks(int call) { return predict::speculate(compute_in_chunks, call); }

std::optional<Sync<int>> go_on;

void wait_to_go_on() { (void)go_on->read(); }

/// Of this rank: taking a stack that was used before, and one that no fiber has had yet.
std::pair<double, double> stack_ns() {
  fiber::Scheduler& scheduler = runtime::Waits::current().scheduler();
  const auto take = [&] {
    const std::int64_t begin_ns = base::now_ns();
    scheduler.prepare_promotion();
    const std::int64_t end_ns = base::now_ns();
    return static_cast<double>(end_ns - begin_ns);
  };
  constexpr int samples_count = 100;
  constexpr double half = 0.5;
  std::vector<double> warm;
  for (int sample = 0; sample < samples_count; ++sample) {
    (void)invoke(rank(), add_one_on_a_fiber, 0);
    warm.push_back(take());
  }
  // More and more fibers wait.
  go_on.emplace();
  std::vector<Future<void>> waiting;
  std::vector<double> fresh;
  for (int sample = 0; sample < samples_count; ++sample) {
    waiting.push_back(ainvoke(rank(), wait_to_go_on));
    yield();
    fresh.push_back(take());
  }
  for (int sample = 0; sample < samples_count; ++sample) go_on->write(0);
  for (Future<void>& one : waiting) one.get();
  go_on.reset();
  return {quantile(warm, half), quantile(fresh, half)};
}

void measure_steps() {
  if (rank() == 0) {
    use(Mode::off);  // Stacks are taken here alone.
    const auto [warm_ns, fresh_ns] = stack_ns();
    fmt::print("\n{:<52} {:>8}\n", "ns of one step", "median");
    fmt::print("{:<52} {:>8.0f}\n", "a stack that was used before (a clock included)", warm_ns);
    fmt::print("{:<52} {:>8.0f}\n", "a stack that no fiber has had yet", fresh_ns);
    invoke(1, use, Mode::always);
    constexpr int samples_count = 100;
    constexpr double half = 0.5;
    std::vector<double> pauses;
    for (int sample = 0; sample < samples_count; ++sample) {
      (void)invoke(1, speculated_chunks, sample);
      static_cast<void>(harmonic(1'000'000));
      pauses.push_back(invoke(1, [] { return ns_of_a_pause; }));
    }
    fmt::print("{:<52} {:>8.0f}\n", "a poll between two chunks", quantile(pauses, half));
  }
  barrier();
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
  const IdleWorks works;
  lane_back = &Rank::current().transport.lane(0);
  print_heading();
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
  compare({"a result of 1 us, one in three expected", Mode::guarded, Mode::off,
           with_pause(speculated_harmonic, 347), with_pause(speculated_harmonic, 347)});
  compare({"a call behind 20 us computed in vain, let in", Mode::always, Mode::always,
           call_twice<true>, call_twice<false>});
  compare({"a result of 20 us, expected halfway", Mode::guarded, Mode::off,
           call_before_the_end<false>, call_before_the_end<false>});
  compare({"the same, messages let in", Mode::guarded, Mode::off, call_before_the_end<true>,
           call_before_the_end<true>});
  compare(answers_of<256>());
  compare(answers_of<1024>());
  compare(answers_of<4096>());
  compare({"not done: code of the next function", Mode::always, Mode::always,
           calls_of(run_scattered<true>), calls_of(run_scattered<false>)});
  measure_unpredictable();
  measure_steps();
  measure_long_calls();
}

}  // namespace
}  // namespace tasuki::bench

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] { tasuki::bench::compare_all(); });
}
