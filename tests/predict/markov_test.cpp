#include "predict/markov.hpp"

#include <gtest/gtest.h>

#include "predict/arrivals.hpp"
#include "predict/streams.hpp"

namespace tasuki::predict {
namespace {

TEST(Markov, KnowsWhatFollowed) {
  const auto arrivals = bench::alternating_stream(100);
  const Score score = score_of("markov", Form::whole, arrivals);
  EXPECT_EQ(score.whole.predictions_count, 97);  // From when each of the two was followed once.
  EXPECT_EQ(score.whole.right_count, 97);
  EXPECT_EQ(score_of("last_value", Form::whole, arrivals).whole.right_count, 0);
}

TEST(Markov, OneValueIsNotEnoughForEveryPattern) {
  const std::vector<Arrival> arrivals = arrivals_of({1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2});
  EXPECT_LT(score_of("markov", Form::whole, arrivals, 6).whole.right_count, 6);
}

TEST(Markov, StreamsAreApart) {
  Markov<std::int64_t> markov({2, 64});
  for (const std::int64_t value : {1, 2, 1}) markov.learn(0, value, 0);
  for (const std::int64_t value : {1, 3, 1}) markov.learn(1, value, 0);
  EXPECT_EQ(*markov.guess(0).value, 2);
  EXPECT_EQ(*markov.guess(1).value, 3);
  markov.forget(0);
  EXPECT_EQ(markov.guess(0).value, nullptr);
  EXPECT_EQ(*markov.guess(1).value, 3);
}

}  // namespace
}  // namespace tasuki::predict
