// Programs that end badly, for tests of how: `runtime_faults NAME [NUMBER]`.
//
// Thread-safety: each rank's own thread.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tasuki/policy.hpp>
#include <tasuki/tasuki.hpp>
#include <thread>
#include <vector>

#include "support/named_run.hpp"

namespace faults {

using namespace tasuki;

void say_waiting() {
  std::fprintf(stderr, "rank %d pid %d waits\n", rank(), static_cast<int>(::getpid()));
}

int compute_for(double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  int turns = 0;
  while (std::chrono::steady_clock::now() < until) ++turns;
  return turns;
}

int last_rank() { return size() - 1; }

// ---- ends of the program itself ----------------------------------------------------------------

void throw_in_vain() { throw std::runtime_error("nobody hears this"); }
int one_way_call_throws(long) {
  if (rank() == 0) post(last_rank(), throw_in_vain);
  quiesce();
  return 0;
}

int main_throws(long) {
  if (rank() == last_rank()) throw std::runtime_error("out of ideas");
  barrier();
  return 0;
}

int main_returns(long code) { return rank() == last_rank() ? static_cast<int>(code) : 0; }

int run_inside_run(long) {
  return run(0, nullptr, [] {});
}

int drop_a_wrong_call(long) {
  invoke(size(), throw_in_vain);
  return 0;
}

// The sanitizer would forbid what is meant here.
__attribute__((no_sanitize("undefined"))) int crash(long) {
  barrier();
  if (rank() == last_rank()) {
    volatile int* nowhere = nullptr;
    *nowhere = 1;
  }
  barrier();
  return 0;
}

int exit_early(long code) {
  barrier();
  if (rank() == last_rank()) std::_Exit(static_cast<int>(code));
  barrier();
  return 0;
}

/// As `exit_early`, but in order; in a called function.
int call_exit(long code) {
  barrier();
  if (rank() == 0) {
    post(
        last_rank(), [](long status) { std::exit(static_cast<int>(status)); }, code);
  }
  barrier();
  barrier();
  return 0;
}

int fork_and_exit(long) {
  const pid_t child = ::fork();
  if (child == 0) std::exit(0);
  ::waitpid(child, nullptr, 0);
  const pid_t quick_child = ::fork();
  if (quick_child == 0) ::_exit(0);
  ::waitpid(quick_child, nullptr, 0);
  barrier();
  return 0;
}

int wait_for_signal(long) {
  barrier();
  say_waiting();
  // Idle, with a time limit, so that this is no deadlock.
  Promise<void> never;
  Future<void> future = never.future();
  while (!future.get_for(std::chrono::seconds(60))) {
  }
  return 0;
}

/// Rank 0 waits for the last rank, which has not even begun.
int start_late(int argc, char** argv) {
  const char* const own_rank = std::getenv("TASUKI_RANK");
  std::fprintf(stderr, "rank %s pid %d waits\n", own_rank, static_cast<int>(::getpid()));
  if (std::strcmp(own_rank, "0") != 0) std::this_thread::sleep_for(std::chrono::seconds(1));
  return run(argc, argv, [] { return wait_for_signal(0); });
}

int wait_by_yielding(long) {
  barrier();
  say_waiting();
  for (;;) yield();
}

/// The signal handler of the hang report runs in the midst of other functions.
int report_keeps_errno(long) {
  if (rank() == 0) ::close(STDERR_FILENO);  // What it prints fails.
  errno = 0;
  if (rank() == 0) ::raise(SIGUSR1);
  const int turns = compute_for(0.5);
  return turns > 0 && errno == 0 ? 0 : 1;
}

int exit_code_on_signal = 0;
int exit_on_signal(long code) {
  exit_code_on_signal = static_cast<int>(code);
  std::signal(SIGUSR2, [](int) { std::_Exit(exit_code_on_signal); });
  return wait_for_signal(0);
}

// ---- stacks -------------------------------------------------------------------------------------

int use_stack(int depth) {
  volatile char room[1024];
  room[0] = static_cast<char>(depth);
  return depth == 0 ? room[0] : use_stack(depth - 1) + room[0];
}
int overflow_in_handler(long) { return invoke(last_rank(), use_stack, 1 << 20); }

int wait_then_use_stack(int depth) {
  yield();
  return use_stack(depth);
}
int overflow_in_fiber(long) { return invoke(last_rank(), wait_then_use_stack, 1 << 20); }

int use_large_array(int value) {
  volatile char array[400 * 1024];
  asm volatile("" : : "r"(array) : "memory");  // else room for one byte would do
  array[0] = static_cast<char>(value);
  return array[0];
}
int large_array_in_handler(long) { return invoke(last_rank(), use_large_array, 1); }

// ---- foreign pointers ---------------------------------------------------------------------------

/// Returns: on rank 0, a pointer to nothing on the last rank. The others serve.
template <class T>
GlobalPtr<T> wild_pointer() {
  if (rank() != 0) quiesce();
  return {last_rank(), reinterpret_cast<T*>(16)};
}
struct Counter {
  int value = 0;
  int next() { return ++value; }
};
int wild_atomic(long) { return wild_pointer<int>().fetch_add(3); }
int wild_call(long) { return invoke(wild_pointer<Counter>(), &Counter::next); }
int wild_read(long) { return wild_pointer<int>().read(); }
int wild_write(long) {
  wild_pointer<int>().write(3);
  fence();
  return 0;
}

// ---- hangs --------------------------------------------------------------------------------------

int everybody_reads_a_sync(long) {
  Sync<int> nobody_writes;
  return nobody_writes.read();
}

Future<int>* first_call = nullptr;
int wait_for_first_call() {
  first_call->wait();
  return 1;
}
int call_back() { return invoke(0, wait_for_first_call); }
int calls_wait_for_each_other(long) {
  if (rank() == 0) {
    auto future = ainvoke(last_rank(), call_back);
    first_call = &future;
    return future.get();
  }
  return 0;
}

Sync<int> written_by_nobody;
void wait_in_vain() { written_by_nobody.read(); }
/// `number` one-way calls, at least 1, wait while all main functions have returned or, if it is 1,
/// are in quiesce.
int one_way_call_waits(long number) {
  for (long i = 0; rank() == 0 && (i == 0 || i < number); ++i) post(last_rank(), wait_in_vain);
  if (number == 1) quiesce();
  return 0;
}

int one_rank_misses_a_barrier(long) {
  if (rank() == 0) {
    Sync<int> nobody_writes;
    return nobody_writes.read();
  }
  barrier();
  return 0;
}

int teams_miss_each_other(long) {
  const Team halves = world_team().split(rank() % 2, rank());
  barrier(rank() == 0 ? world_team() : halves);
  return 0;
}

/// The ranks that are there ask each other first.
int one_rank_misses_an_alltoallv(long) {
  set_policy(coll::before_default_policy({{coll::Collective::alltoallv, coll::any_ranks,
                                           coll::any_bytes, "two_phase_bruck", "", "test"}}));
  const Blocks blocks{std::vector<std::size_t>(static_cast<std::size_t>(size()), 1)};
  std::vector<int> values(static_cast<std::size_t>(size()));
  std::vector<int> received(values.size());
  const auto exchange = [&] {
    alltoallv(std::span<const int>(values), blocks, std::span(received), blocks);
  };
  exchange();
  if (rank() != last_rank()) exchange();
  return 0;
}

int one_rank_has_returned(long) {
  if (rank() != last_rank()) barrier();
  return 0;
}

/// In release builds some of these end with wrong values.
int collectives_differ(long what) {
  const bool is_first = rank() == 0;
  int value = rank();
  std::vector<int> values(100, rank());
  if (what == 0) broadcast(std::span(values), rank());
  if (what == 1) value = is_first ? allreduce(value, Sum{}) : allreduce(value, Max{});
  if (what == 2 && is_first) allreduce(1, Sum{});
  if (what == 2 && !is_first) allreduce(1.0F, Sum{});
  if (what == 3 && is_first) barrier();
  if (what == 3 && !is_first) allreduce(1, Sum{});
  if (what == 4) value = is_first ? broadcast(1, 0) : static_cast<int>(broadcast(1.0F, 0));
  return 0;
}

/// Every build notices these, at the latest after some more of them.
int collectives_do_not_fit(long what) {
  const bool is_first = rank() == 0;
  std::vector<std::int64_t> values(is_first ? 100'000 : 200'000);
  const auto sum = [&](std::size_t count) {
    allreduce(std::span<const std::int64_t>(values).first(count), std::span(values).first(count),
              Sum{});
  };
  const auto spread = [&](std::size_t count, int root) {
    broadcast(std::span(values).first(count), root);
  };
  const std::vector<std::size_t> counts =
      is_first ? std::vector<std::size_t>{100, 1} : std::vector<std::size_t>{1, 100};
  const std::span<const std::int64_t> view(values);
  const auto own = view.first(100);
  std::vector<std::int64_t> all(101);
  for (int i = 0; i < 100; ++i) {
    if (what == 0) sum(is_first ? 1 : 2);
    if (what == 1) sum(is_first ? 100 : 200);
    if (what == 2) sum(values.size());
    if (what == 3) spread(1, rank());
    if (what == 4) is_first ? sum(100) : spread(100, 0);
    if (what == 5 && is_first) sum(1);
    // What comes is too long, sent at once or when its receiver is there.
    if (what == 6) spread(is_first ? 200 : 100, 0);
    if (what == 7) spread(values.size() / (is_first ? 1 : 4), 0);
    // Blocks of which the longest is the same.
    if (what == 8) allgatherv(own, std::span(all), Blocks{counts});
    if (what == 9) reduce_scatter(view, std::span(all), counts, Sum{});
    // By messages.
    if (what == 10) broadcast_async(std::span(values).first(is_first ? 200 : 100), 0).get();
    spread(1, 0);
    if (what == 5 && !is_first) sum(1);
  }
  return 0;
}

/// Caught where it can be: the others wait for the result all the same.
int operator_throws(long where) {
  const auto throwing = [](std::int64_t, std::int64_t) -> std::int64_t {
    throw std::runtime_error("out of luck");
  };
  const std::vector<std::int64_t> input(100);
  std::vector<std::int64_t> output(100);
  const std::span<const std::int64_t> in(input);
  try {
    if (where == 0) allreduce(std::int64_t{1}, throwing);
    if (where == 1) allreduce(in, std::span(output), throwing);
    if (where == 2) allreduce_async(in, std::span(output), throwing).get();
    if (where == 3) allreduce(in, std::span(output), throwing, team_of({0, 1}, 1));
  } catch (const std::exception&) {
    return 1;
  }
  return 0;
}

/// The two know only of each other, so that no tag of the call shows it.
int blocks_do_not_fit(long what) {
  const std::size_t given = what % 2 == 0 ? 3 : 30'000;  // Those are staged, or not.
  std::vector<double> values(100'000);
  const std::span<double> all(values);
  const std::span<const double> view(values);
  const bool is_first = rank() == 0;
  const Blocks wrong{{1, what == 4 ? given * 100 : given + 1}};
  const bool is_gatherv = what < 2 || what == 4;
  if (is_gatherv) gatherv(view.first(is_first ? 1 : given), all, is_first ? wrong : Blocks{}, 0);
  if (what == 2) scatterv(view, is_first ? wrong : Blocks{}, all.first(is_first ? 1 : given), 0);
  if (what == 3) {
    const Blocks right{{1, given}};
    const Blocks other{{given, 1}};
    alltoallv(view, is_first ? wrong : other, all.last(all.size() / 2), is_first ? right : other);
  }
  return 0;
}

int one_rank_computes(long seconds) {
  barrier();
  say_waiting();
  if (rank() == last_rank()) compute_for(static_cast<double>(seconds));
  barrier();
  return 0;
}

// ---- ends without a fault -----------------------------------------------------------------------

int says_whether_reproducible(long) {
  std::printf("rank %d: %s\n", rank(), is_reproducible() ? "reproducible" : "any order");
  return 0;
}

/// They ask what the ranks may read of each other, and one fiber's wait is the other's turn.
int first_collectives_of_two_fibers(long) {
  const auto sum = [](std::size_t count) {
    std::vector<std::int64_t> values(count, 1);
    allreduce(std::span<const std::int64_t>(values), std::span(values), Sum{});
    return values.back();
  };
  auto other = ainvoke(rank(), sum, std::size_t{200'000});
  return sum(100'000) == size() && other.get() == size() ? 0 : 1;
}

std::size_t small_calls_count = 0;
void take_small(std::array<char, 200>) { ++small_calls_count; }
/// Many small calls by a called function, whose records wait for room, and then a large one.
int large_call_after_small_ones(long count) {
  static std::size_t before_large_count = 0;
  constexpr auto call_all = [](int target, long calls_count) {
    for (long i = 0; i < calls_count; ++i) post(target, take_small, std::array<char, 200>{});
    compute_for(0.05);  // Meanwhile the target makes room.
    post(
        target, [](const std::vector<char>&) { before_large_count = small_calls_count; },
        std::vector<char>(300'000));
  };
  if (rank() == 0) post(0, call_all, 1, count);
  quiesce();
  return rank() == 0 || before_large_count == static_cast<std::size_t>(count) ? 0 : 1;
}

/// A program that a rank starts is a job of its own.
int start_a_program(long depth) {
  barrier();
  if (depth > 0) return size() == 1 ? 0 : 1;
  const ::pid_t child = ::fork();
  if (child == 0) ::execl("/proc/self/exe", "faults", "start_a_program", "1", nullptr);
  int status = 0;
  const bool has_ended = ::waitpid(child, &status, 0) == child && WIFEXITED(status);
  barrier();
  return has_ended ? WEXITSTATUS(status) : 1;
}

/// It is destroyed after its world.
int static_dist_object(long) {
  static const DistObject<int> object(8);
  return 0;
}

// ---- memory -------------------------------------------------------------------------------------
Sync<int> never_written;
/// Rank 0 makes rank 1, which has little memory, wait in one call after the other.
int wait_without_memory(long memory_bytes) {
  if (rank() == 1) {
    std::ifstream sizes("/proc/self/statm");
    rlim_t used_pages = 0;
    sizes >> used_pages;
    const rlim_t most = used_pages * 4096 + static_cast<rlim_t>(memory_bytes);
    const rlimit limit{most, most};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) return 1;
  }
  barrier();
  for (int i = 0; rank() == 0 && i < 100'000; ++i) {
    auto dropped = ainvoke(1, [] { return never_written.read(); });
  }
  quiesce();
  return 2;
}

/// `count` MiB there and back, in heap and in private memory, and as an argument.
int large_transfer(long count) {
  const std::size_t words_count = static_cast<std::size_t>(count) * 1024 * 1024 / 8;
  const int next = (rank() + 1) % size();
  std::vector<std::uint64_t> own(rank() == last_rank() ? words_count : 1);
  const auto target = broadcast(global_ptr(own.data()), last_rank());
  if (rank() == 0) {
    std::vector<std::uint64_t> data(words_count);
    for (std::size_t i = 0; i < words_count; i += 512) data[i] = i;
    data.back() = 77;
    target.nwrite(data.data(), words_count);
    fence();
    std::fill(data.begin(), data.end(), 0);
    target.nread(data.data(), words_count);
    for (std::size_t i = 0; i + 1 < words_count; i += 512) {
      if (data[i] != i) return 1;
    }
    if (data.back() != 77) return 2;
    const auto last = [](const std::vector<std::uint64_t>& values) { return values.back(); };
    if (invoke(next, last, data) != 77) return 3;
  }
  barrier();
  return own.back() == 77 || rank() != last_rank() ? 0 : 4;
}

constexpr test::NamedRun<long> all_faults[] = {
    {"one_way_call_throws", one_way_call_throws},
    {"main_throws", main_throws},
    {"main_returns", main_returns},
    {"run_inside_run", run_inside_run},
    {"drop_a_wrong_call", drop_a_wrong_call},
    {"crash", crash},
    {"exit_early", exit_early},
    {"call_exit", call_exit},
    {"fork_and_exit", fork_and_exit},
    {"wait_for_signal", wait_for_signal},
    {"wait_by_yielding", wait_by_yielding},
    {"report_keeps_errno", report_keeps_errno},
    {"exit_on_signal", exit_on_signal},
    {"overflow_in_handler", overflow_in_handler},
    {"overflow_in_fiber", overflow_in_fiber},
    {"large_array_in_handler", large_array_in_handler},
    {"wild_atomic", wild_atomic},
    {"wild_call", wild_call},
    {"wild_read", wild_read},
    {"wild_write", wild_write},
    {"everybody_reads_a_sync", everybody_reads_a_sync},
    {"calls_wait_for_each_other", calls_wait_for_each_other},
    {"one_way_call_waits", one_way_call_waits},
    {"one_rank_misses_a_barrier", one_rank_misses_a_barrier},
    {"teams_miss_each_other", teams_miss_each_other},
    {"one_rank_misses_an_alltoallv", one_rank_misses_an_alltoallv},
    {"one_rank_has_returned", one_rank_has_returned},
    {"collectives_differ", collectives_differ},
    {"first_collectives_of_two_fibers", first_collectives_of_two_fibers},
    {"large_call_after_small_ones", large_call_after_small_ones},
    {"collectives_do_not_fit", collectives_do_not_fit},
    {"blocks_do_not_fit", blocks_do_not_fit},
    {"operator_throws", operator_throws},
    {"one_rank_computes", one_rank_computes},
    {"says_whether_reproducible", says_whether_reproducible},
    {"start_a_program", start_a_program},
    {"static_dist_object", static_dist_object},
    {"wait_without_memory", wait_without_memory},
    {"large_transfer", large_transfer},
};

}  // namespace faults

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  const long number = argc > 2 ? std::stol(argv[2]) : 0;
  if (name == "start_late") return faults::start_late(argc, argv);
  return tasuki::run(argc, argv,
                     [&] { return tasuki::test::run_named(faults::all_faults, name, number); });
}
