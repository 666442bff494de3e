// Floods of calls, and how much memory they take: floods.cmake says how each of these jobs ends.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tasuki/tasuki.hpp>

#include "support/named_run.hpp"

namespace floods {

using namespace tasuki;

int last_rank() { return size() - 1; }
int answer(int x) { return x; }

constexpr long resident_most_kib = 256 * 1024;

int check_resident() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("rank %d: at most %ld MiB resident\n", rank(), usage.ru_maxrss / 1024);
  return usage.ru_maxrss < resident_most_kib ? 0 : 1;
}

std::uint64_t received_count = 0;
std::uint64_t received_sum = 0;
void receive_slowly(std::uint64_t number) {
  for (int turn = 0; turn < 20; ++turn) {
    asm volatile("");
  }
  ++received_count;
  received_sum += number;
}
/// All ranks but the last send `count` calls in all to the last.
int flood(long count) {
  const auto calls_count = static_cast<std::uint64_t>(count / std::max(1, last_rank()));
  if (rank() != last_rank()) {
    for (std::uint64_t i = 0; i < calls_count; ++i) post(last_rank(), receive_slowly, i);
  }
  quiesce();
  if (rank() == last_rank() && received_sum != static_cast<std::uint64_t>(last_rank()) *
                                                   calls_count * (calls_count - 1) / 2) {
    std::printf("wrong: %lu calls arrived\n", static_cast<unsigned long>(received_count));
    return 1;
  }
  return check_resident();
}

/// Everybody asks its neighbour far more than the channels hold, and drops the answers.
int flood_with_dropped_answers(long count) {
  for (long i = 0; i < count; ++i) {
    auto dropped = ainvoke((rank() + 1) % size(), answer, static_cast<int>(i));
  }
  quiesce();
  return check_resident();
}

std::string answer_at_length(int letters_count) {
  return std::string(static_cast<std::size_t>(letters_count), 'a');
}
/// The same with answers that take more room than the calls.
int flood_with_long_answers(long count) {
  for (long i = 0; i < count; ++i) {
    auto dropped = ainvoke((rank() + 1) % size(), answer_at_length, 50);
  }
  quiesce();
  return check_resident();
}

long posted_back_count = 0;
/// The answers are one-way calls.
int flood_with_posts_back(long count) {
  for (long i = 0; i < count; ++i) {
    post((rank() + 1) % size(), [](int back) { post(back, [] { ++posted_back_count; }); }, rank());
  }
  quiesce();
  return posted_back_count == count ? check_resident() : 1;
}

using Words = std::array<std::uint64_t, 8>;
constexpr long branches_count = 3;
long leaves_count = 0;
/// Makes calls at the next rank, of which each makes as many.
void branch(long depth, const Words& words) {
  if (depth == 0) {
    ++leaves_count;
    return;
  }
  for (long i = 0; i < branches_count; ++i) post((rank() + 1) % size(), branch, depth - 1, words);
}
/// All ranks wait for room at once, as called functions make more calls than there is room for.
int flood_with_calls_that_call(long depth) {
  branch(depth, {});
  quiesce();
  long expected_count = 1;
  for (long i = 0; i < depth; ++i) expected_count *= branches_count;
  return leaves_count == expected_count ? check_resident() : 1;
}

using Clock = std::chrono::steady_clock;
void compute(std::chrono::milliseconds duration) {
  const Clock::time_point end = Clock::now() + duration;
  while (Clock::now() < end) {
  }
}
void read_what_is_passed_on(const Words&) {}
/// The second rank passes what the first one sends on to the last one, which computes
/// for so long between two reads, and to one that reads, if there are four.
int flood_past_one_that_computes(std::chrono::milliseconds computes) {
  barrier();
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(500);
  while (rank() == last_rank() && Clock::now() < end) {
    compute(computes);
    yield();
  }
  while (rank() == 0 && Clock::now() < end) {
    post(1, [] { post(last_rank(), read_what_is_passed_on, Words{}); });
    if (size() > 3) post(1, [] { post(2, read_what_is_passed_on, Words{}); });
  }
  quiesce();
  return check_resident();
}
int flood_past_a_busy_rank(long) { return flood_past_one_that_computes(std::chrono::seconds(1)); }
int flood_past_a_slow_rank(long) {
  return flood_past_one_that_computes(std::chrono::milliseconds(1));
}

/// Each call calls back and waits.
int flood_with_calls_back(long count) {
  for (long i = 0; i < count; ++i) {
    auto dropped =
        ainvoke((rank() + 1) % size(), [](int back) { return invoke(back, answer, 1); }, rank());
  }
  quiesce();
  return check_resident();
}

constexpr test::NamedRun<long> all_floods[] = {
    {"flood", flood},
    {"flood_with_dropped_answers", flood_with_dropped_answers},
    {"flood_with_long_answers", flood_with_long_answers},
    {"flood_with_posts_back", flood_with_posts_back},
    {"flood_with_calls_that_call", flood_with_calls_that_call},
    {"flood_past_a_busy_rank", flood_past_a_busy_rank},
    {"flood_past_a_slow_rank", flood_past_a_slow_rank},
    {"flood_with_calls_back", flood_with_calls_back},
};

}  // namespace floods

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  const long number = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 0;
  return tasuki::run(argc, argv,
                     [&] { return tasuki::test::run_named(floods::all_floods, name, number); });
}
