#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/predict.hpp>
#include <vector>

#include "runtime/world/own_idle_work.hpp"
#include "support/rank_test.hpp"

namespace tasuki {
namespace {

struct Block {
  double scale;
  int first;
  int count;
};

}  // namespace

template <>
inline constexpr bool predict::takes_any_bytes<Block> = true;

}  // namespace tasuki

namespace tasuki::test {
namespace {

using predict::Mode;
using SpeculationsTest = RankTest;

int square(const int& number) {
  const std::int64_t start_ns = base::now_ns();
  while (base::now_ns() < start_ns + 200) {
  }
  return number * number;
}

TEST_F(SpeculationsTest, the_expected_argument_finds_its_result) {
  OwnIdleWork work(Mode::guarded);
  EXPECT_EQ(predict::speculate(square, 10), 100);
  EXPECT_EQ(predict::speculate(square, 12), 144);
  const auto committed = work->counters().committed;
  work.be_idle();
  EXPECT_EQ(predict::speculate(square, 14), 196);
  EXPECT_EQ(work->counters().committed, committed + 1);
}

TEST_F(SpeculationsTest, a_wrong_guess_is_not_seen) {
  OwnIdleWork work(Mode::always);
  predict::speculate(square, 1);
  predict::speculate(square, 2);
  for (const int number : {7, 3, 3, 100, -5, 8, 21, 34, 47}) {
    work.be_idle();
    EXPECT_EQ(predict::speculate(square, number), number * number) << number;
  }
  EXPECT_GT(work->counters().redone, 0);
  EXPECT_GT(work->counters().committed, 0);
}

TEST_F(SpeculationsTest, a_result_is_used_once) {
  OwnIdleWork work(Mode::always);
  for (int i = 0; i < 3; ++i) predict::speculate(square, 5);
  const auto committed = work->counters().committed;
  work.be_idle();
  EXPECT_EQ(predict::speculate(square, 5), 25);
  EXPECT_EQ(predict::speculate(square, 5), 25);
  EXPECT_EQ(work->counters().committed, committed + 1);
}

TEST_F(SpeculationsTest, every_byte_of_the_argument_counts) {
  OwnIdleWork work(Mode::always);
  const auto numbers = [](const Block& block) {
    std::vector<double> all;
    for (int i = 0; i < block.count; ++i) all.push_back(block.scale * (block.first + i));
    return all;
  };
  for (int step = 0; step < 20; ++step) {
    work.be_idle();
    // Now and then one field of the three is not as expected.
    const Block block{step % 5 == 4 ? 3.0 : 1.0, 10 * step + (step % 7 == 6 ? 1 : 0), 10};
    EXPECT_EQ(predict::speculate(numbers, block), numbers(block)) << step;
  }
  EXPECT_GT(work->counters().redone, 0);
  EXPECT_GT(work->counters().committed, 0);
}

TEST_F(SpeculationsTest, each_function_has_its_own_results) {
  OwnIdleWork work(Mode::always);
  const auto twice = [](const int& number) { return 2 * number; };
  const auto half = [](const int& number) { return number / 2; };
  for (int number = 0; number < 20; ++number) {
    work.be_idle();
    EXPECT_EQ(predict::speculate(square, number), number * number);
    EXPECT_EQ(predict::speculate(twice, number), 2 * number);
    EXPECT_EQ(predict::speculate(half, 100 - number), (100 - number) / 2);
  }
  EXPECT_GE(work->counters().committed, 3 * 10);
}

TEST_F(SpeculationsTest, guesses_that_are_always_wrong_cost_few_computations) {
  OwnIdleWork work(Mode::guarded);
  constexpr int calls_count = 10'000;
  int number = 1;
  for (int i = 0; i < calls_count; ++i) {
    work.be_idle();
    number = (number * 75 + 74) % 65'537;
    predict::speculate(square, number);
  }
  // Trials after 64 calls, then 128, ...; a number that follows by chance lets a few more through.
  EXPECT_LE(work->counters().predicted, 40);
}

TEST_F(SpeculationsTest, results_that_calls_wait_for_are_a_gain) {
  OwnIdleWork work(Mode::guarded);
  constexpr int calls_count = 10'000;
  const auto committed = work->counters().committed;
  for (int i = 0; i < calls_count; ++i) {
    work.be_idle_once(0);
    work.be_idle_once(1);
    // Right after the last poll; now and then with another argument.
    const int number = i % 50 == 49 ? -1 : i % 1000;
    predict::speculate(square, number);
  }
  EXPECT_GT(work->counters().committed - committed, calls_count / 2);
}

TEST_F(SpeculationsTest, always_computes_however_often_it_was_wrong) {
  OwnIdleWork work(Mode::always);
  int number = 1;
  constexpr int calls_count = 1000;
  for (int i = 0; i < calls_count; ++i) {
    work.be_idle();
    number = (number * 75 + 74) % 65'537;
    predict::speculate(square, number);
  }
  EXPECT_GE(work->counters().predicted, calls_count - 10);
}

TEST_F(SpeculationsTest, what_calls_tasuki_is_not_computed_ahead) {
  OwnIdleWork work(Mode::always);
  const auto add_rank = [](const int& number) { return number + rank(); };
  for (int number = 0; number < 10; ++number) {
    work.be_idle();
    EXPECT_EQ(predict::speculate(add_rank, number), number + rank());
  }
}

TEST_F(SpeculationsTest, what_an_expected_argument_throws_is_not_seen) {
  OwnIdleWork work(Mode::always);
  const auto root = [](const int& number) {
    if (number < 0) throw std::domain_error("root of a negative number");
    return std::sqrt(number);
  };
  for (int number = 9; number >= 0; --number) {
    work.be_idle();
    EXPECT_EQ(predict::speculate(root, number), std::sqrt(number));
  }
  work.be_idle();
  EXPECT_THROW(predict::speculate(root, -1), std::domain_error);
}

TEST_F(SpeculationsTest, other_ranks_get_the_same_results) {
  barrier();
  OwnIdleWork work(Mode::always);
  for (int number = 0; number < 200; ++number) {
    // Some are out of step.
    const int sent = number % 9 == 8 ? 1000 - number : number;
    const int result = invoke(
        next_rank(), [](int value) { return predict::speculate(square, value); }, sent);
    ASSERT_EQ(result, sent * sent);
  }
  barrier();
}

// ---- functions that let messages in ------------------------------------------------------------

/// By rank, as ranks may share a process.
struct Counts {
  int steps_done = 0;
  int attempts_alive = 0;
};
std::array<Counts, 64> all_counts;
Counts& counts() { return all_counts.at(static_cast<std::size_t>(rank())); }

/// Not pure: it counts. Each step takes longer than a chunk.
int sum_of_steps(const std::array<int, 2>& number_and_rank) {
  constexpr int steps_count = 5;
  const auto [number, own_rank] = number_and_rank;
  Counts& own_counts = all_counts.at(static_cast<std::size_t>(own_rank));
  struct Alive {
    explicit Alive(Counts& its_counts) : counts(its_counts) { ++counts.attempts_alive; }
    ~Alive() { --counts.attempts_alive; }
    Counts& counts;
  } const alive(own_counts);
  int sum = 0;
  for (int step = 0; step < steps_count; ++step) {
    const std::int64_t start_ns = base::now_ns();
    while (base::now_ns() < start_ns + runtime::Speculations::chunk_ns) {
    }
    ++own_counts.steps_done;
    sum += number;
    predict::let_messages_in();
  }
  return sum;
}

int speculated_sum(int number) {
  return predict::speculate(sum_of_steps, std::array{number, rank()});
}

/// Computes the first step for the number 3.
void begin_to_compute(OwnIdleWork& work) {
  speculated_sum(1);
  speculated_sum(2);
  counts().steps_done = 0;
  for (std::uint64_t polls_count = 0; counts().steps_done == 0; ++polls_count) {
    work.be_idle_once(polls_count);
  }
  ASSERT_EQ(counts().steps_done, 1);
  ASSERT_EQ(counts().attempts_alive, 1);
}

TEST_F(SpeculationsTest, a_result_is_computed_in_several_idle_times) {
  OwnIdleWork work(Mode::always);
  begin_to_compute(work);
  for (int chunk = 2; chunk <= 5; ++chunk) {
    work.be_idle_once(0);
    EXPECT_EQ(counts().steps_done, chunk);
  }
  work.be_idle_once(0);
  EXPECT_EQ(counts().attempts_alive, 0);
  EXPECT_EQ(speculated_sum(3), 15);
  EXPECT_EQ(counts().steps_done, 5);
}

TEST_F(SpeculationsTest, the_expected_call_waits_for_the_rest_of_its_result) {
  OwnIdleWork work(Mode::always);
  begin_to_compute(work);
  const auto committed = work->counters().committed;
  EXPECT_EQ(speculated_sum(3), 15);
  EXPECT_EQ(counts().steps_done, 5);
  EXPECT_EQ(counts().attempts_alive, 0);
  EXPECT_EQ(work->counters().committed, committed + 1);
}

TEST_F(SpeculationsTest, another_call_ends_the_attempt) {
  OwnIdleWork work(Mode::always);
  begin_to_compute(work);
  const auto redone = work->counters().redone;
  EXPECT_EQ(speculated_sum(70), 350);
  yield();
  EXPECT_EQ(counts().steps_done, 1 + 5);
  EXPECT_EQ(counts().attempts_alive, 0);
  EXPECT_EQ(work->counters().redone, redone + 1);
}

TEST_F(SpeculationsTest, calls_from_other_fibers_share_no_result) {
  OwnIdleWork work(Mode::always);
  begin_to_compute(work);
  // The second one comes while the first waits for the rest of its result.
  auto second = ainvoke(rank(), [] { return speculated_sum(3); });
  EXPECT_EQ(speculated_sum(3), 15);
  EXPECT_EQ(second.get(), 15);
  EXPECT_GE(counts().steps_done, 5 + 5);
}

TEST_F(SpeculationsTest, a_call_of_another_function_leaves_the_attempt_alone) {
  OwnIdleWork work(Mode::always);
  begin_to_compute(work);
  EXPECT_EQ(predict::speculate(square, 9), 81);
  EXPECT_EQ(counts().steps_done, 1);
  EXPECT_EQ(counts().attempts_alive, 1);
  EXPECT_EQ(speculated_sum(3), 15);
  EXPECT_EQ(counts().steps_done, 5);
}

TEST_F(SpeculationsTest, what_is_in_progress_at_the_end_is_unwound) {
  {
    OwnIdleWork work(Mode::always);
    begin_to_compute(work);
  }
  EXPECT_EQ(counts().attempts_alive, 0);
  EXPECT_EQ(counts().steps_done, 1);
}

TEST_F(SpeculationsTest, an_attempt_that_cannot_be_ended_has_no_result) {
  OwnIdleWork work(Mode::always);
  const auto stubborn = [](const std::array<int, 2>& number_and_rank) {
    try {
      return sum_of_steps(number_and_rank);
    } catch (...) {
      return -1;
    }
  };
  const auto sum = [&](int number) {
    return predict::speculate(stubborn, std::array{number, rank()});
  };
  sum(1);
  sum(2);
  counts().steps_done = 0;
  for (std::uint64_t polls_count = 0; counts().steps_done == 0; ++polls_count) {
    work.be_idle_once(polls_count);
  }
  EXPECT_EQ(sum(70), 350);
  yield();
  EXPECT_EQ(sum(138), 690);
}

TEST_F(SpeculationsTest, messages_and_results_in_pieces_go_together) {
  for (const Mode mode : {Mode::off, Mode::guarded, Mode::always}) {
    barrier();
    OwnIdleWork work(mode);
    for (int number = 0; number < 100; ++number) {
      // Some are out of step.
      const int sent = number % 7 == 6 ? 1000 - number : number;
      auto sum = ainvoke(
          next_rank(), [](int value) { return speculated_sum(value); }, sent);
      ASSERT_EQ(invoke(previous_rank(), square, number % 10), (number % 10) * (number % 10));
      ASSERT_EQ(sum.get(), 5 * sent);
    }
    barrier();
  }
}

}  // namespace
}  // namespace tasuki::test
