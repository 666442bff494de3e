#include <cmath>
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

int squares_computed = 0;

/// Not pure: it counts.
int square(const int& number) {
  ++squares_computed;
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
  squares_computed = 0;
  work.be_idle();
  EXPECT_EQ(squares_computed, 1);
  EXPECT_EQ(predict::speculate(square, 14), 196);
  EXPECT_EQ(squares_computed, 1);
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
  squares_computed = 0;
  work.be_idle();
  predict::speculate(square, 5);
  predict::speculate(square, 5);
  EXPECT_EQ(squares_computed, 2);
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
  squares_computed = 0;
  int number = 1;
  for (int i = 0; i < calls_count; ++i) {
    work.be_idle();
    number = (number * 75 + 74) % 65'537;
    predict::speculate(square, number);
  }
  // Trials after 64 calls, then 128, ...; a number that follows by chance lets a few more through.
  EXPECT_LE(squares_computed - calls_count, 40);
}

TEST_F(SpeculationsTest, always_computes_however_often_it_was_wrong) {
  OwnIdleWork work(Mode::always);
  squares_computed = 0;
  int number = 1;
  constexpr int calls_count = 1000;
  for (int i = 0; i < calls_count; ++i) {
    work.be_idle();
    number = (number * 75 + 74) % 65'537;
    predict::speculate(square, number);
  }
  EXPECT_GE(squares_computed, 2 * calls_count - 10);
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

}  // namespace
}  // namespace tasuki::test
