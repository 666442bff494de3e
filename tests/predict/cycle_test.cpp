#include "predict/cycle.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "predict/arrivals.hpp"
#include "predict/streams.hpp"

namespace tasuki::predict {
namespace {

TEST(Cycle, FindsAnyPeriod) {
  for (std::size_t period = 1; period < 500; period += period < 20 ? 1 : 59) {
    const auto arrivals = bench::periodic_stream(6 * period + 100, period, 5);
    for (const Form form : {Form::whole, Form::channel}) {
      const Score score = score_of("cycle", form, arrivals, 5 * period + 50);
      EXPECT_EQ(score.whole.right_count, score.messages_count) << period << " " << name_of(form);
    }
  }
}

TEST(Cycle, FindsThePeriodOfTheSizesOfMG) {
  // Sizes down and up the levels of a grid, each a few times, in 138 messages.
  std::vector<std::int64_t> period;
  for (std::int64_t bytes = 8 << 12; bytes >= 8; bytes /= 2) period.insert(period.end(), 6, bytes);
  for (std::int64_t bytes = 8; bytes <= 8 << 9; bytes *= 2) period.insert(period.end(), 6, bytes);
  ASSERT_EQ(period.size(), 138);
  std::vector<std::int64_t> sizes_bytes;
  for (int i = 0; i < 8; ++i) sizes_bytes.insert(sizes_bytes.end(), period.begin(), period.end());
  std::vector<Arrival> arrivals = arrivals_of(sizes_bytes);
  for (Arrival& one : arrivals) one.receive.arguments.message_bytes = 1 << 20;
  const Score score = score_of("cycle", Form::whole, arrivals, 4 * 138);
  EXPECT_EQ(score.whole.right_count, 4 * 138);
  EXPECT_LT(score_of("last_value", Form::whole, arrivals, 4 * 138).whole.right_count, 4 * 120);
}

TEST(Cycle, SurvivesOneOtherMessage) {
  Cycle<std::int64_t> cycle({1, 64});
  for (int i = 0; i < 30; ++i) cycle.learn(0, i % 5, 0);
  cycle.learn(0, 99, 0);  // In place of 0.
  for (int i = 1; i < 5; ++i) {
    EXPECT_EQ(*cycle.guess(0).value, i);
    cycle.learn(0, i, 0);
  }
}

TEST(Cycle, FollowsANewPeriod) {
  Cycle<std::int64_t> cycle({1, 64});
  for (int i = 0; i < 30; ++i) cycle.learn(0, i % 5, 0);
  for (int i = 0; i < 30; ++i) cycle.learn(0, 10 + i % 7, 0);
  EXPECT_EQ(*cycle.guess(0).value, 12);
  EXPECT_EQ(cycle.guess(0).confidence, confidence_most);
}

TEST(Cycle, SaysNothingWithoutAPeriod) {
  Cycle<std::int64_t> cycle({1, 64});
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(cycle.guess(0).value, nullptr);
    cycle.learn(0, i, 0);
  }
}

TEST(Cycle, APeriodLongerThanTheHistoryIsNone) {
  Cycle<std::int64_t> cycle({1, 16});
  for (int i = 0; i < 200; ++i) cycle.learn(0, i % 40, 0);
  EXPECT_EQ(cycle.guess(0).value, nullptr);
}

}  // namespace
}  // namespace tasuki::predict
