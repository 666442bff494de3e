#include "predict/history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <vector>

#include "predict/arrivals.hpp"
#include "predict/streams.hpp"

namespace tasuki::predict {
namespace {

/// What followed the last `order` values when they came before, by comparing with all of the past.
std::optional<std::int64_t> followed(const std::vector<std::int64_t>& past, std::size_t order) {
  const std::size_t count = past.size();
  for (std::size_t end = count; end-- > order;) {
    bool is_same = true;
    for (std::size_t back = 1; back <= order; ++back) {
      is_same = is_same && past[end - back] == past[count - back];
    }
    if (is_same) return past[end];
  }
  return std::nullopt;
}

/// The definition, without any table or limit: the answer, and those that are next best.
std::vector<std::int64_t> expected_after(const std::vector<std::int64_t>& past) {
  std::vector<std::int64_t> answers;
  if (past.size() >= 4) {
    if (const auto value = followed(past, 4)) answers.push_back(*value);
  }
  if (const auto value = followed(past, 1)) answers.push_back(*value);
  if (!past.empty()) answers.push_back(past.back());
  return answers;
}

TEST(History, AgreesWithItsDefinition) {
  int next_best_count = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 engine(seed);
    const unsigned kinds = 2 + engine() % 6;
    History<std::int64_t> history({2, 1024});
    std::vector<std::int64_t> past[2];
    for (int i = 0; i < 1000; ++i) {
      const std::size_t stream = engine() % 2;
      const auto guess = history.guess(stream);
      const std::vector<std::int64_t> expected = expected_after(past[stream]);
      ASSERT_EQ(guess.value == nullptr, expected.empty());
      if (!expected.empty() && *guess.value != expected[0]) {
        // Two contexts have the same place in a table: the older one is gone.
        ++next_best_count;
        ASSERT_NE(std::ranges::find(expected, *guess.value), expected.end()) << seed << " " << i;
      }
      const std::int64_t value = engine() % kinds;
      past[stream].push_back(value);
      history.learn(stream, value, i);
    }
  }
  EXPECT_LT(next_best_count, 20 * 1000 / 50);
}

TEST(History, KnowsAPeriodOnceItHasSeenIt) {
  for (const std::size_t period : {1U, 2U, 5U, 138U, 500U}) {
    const auto arrivals = bench::periodic_stream(4 * period + 1000, period, 3);
    for (const Form form : {Form::whole, Form::channel}) {
      const Score score = score_of("history", form, arrivals, 2 * period + 8);
      // Four of the eight sizes in succession may stand in the period twice.
      const auto least = static_cast<double>(score.messages_count) * 0.75;
      EXPECT_GE(static_cast<double>(score.whole.right_count), least) << period;
    }
  }
}

TEST(History, ValuesThatAreGoneFromTheHistoryAreNotPredicted) {
  History<std::int64_t> history({1, 8});
  for (const std::int64_t value : {1, 2, 3, 4, 5}) history.learn(0, value, 0);
  for (std::int64_t value = 10; value < 20; ++value) history.learn(0, value, 0);
  for (const std::int64_t value : {1, 2, 3, 4}) history.learn(0, value, 0);
  EXPECT_EQ(*history.guess(0).value, 4);  // Only the last value is left.
}

TEST(History, ConfidenceIsThatOfTheContext) {
  History<std::int64_t> history({1, 1024});
  for (int round = 0; round < 4; ++round) {
    for (const std::int64_t value : {1, 2, 3, 4, 5}) history.learn(0, value, 0);
    history.learn(0, 100 + round, 0);
  }
  for (const std::int64_t value : {1, 2, 3, 4}) history.learn(0, value, 0);
  EXPECT_EQ(*history.guess(0).value, 5);
  EXPECT_EQ(history.guess(0).confidence, 3);
  history.learn(0, 5, 0);
  EXPECT_EQ(*history.guess(0).value, 103);
  EXPECT_EQ(history.guess(0).confidence, 0);
}

TEST(History, InterleavedChannelsDoNotDisturbEachOther) {
  const auto arrivals = bench::interleaved_stream(4000, 1);
  EXPECT_EQ(score_of("history", Form::channel, arrivals, 100).whole.right_count, 3900);
  EXPECT_LT(score_of("history", Form::whole, arrivals, 100).whole.right_count, 3000);
}

TEST(History, AForgottenStreamBeginsAnew) {
  History<std::int64_t> history({2, 64});
  for (int i = 0; i < 20; ++i) {
    history.learn(0, i % 3, 0);
    history.learn(1, i % 3, 0);
  }
  history.forget(0);
  EXPECT_EQ(history.guess(0).value, nullptr);
  EXPECT_EQ(*history.guess(1).value, 2);
}

}  // namespace
}  // namespace tasuki::predict
