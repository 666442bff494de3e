#include "predict/maximum.hpp"

#include <gtest/gtest.h>

#include "predict/arrivals.hpp"

namespace tasuki::predict {
namespace {

TEST(Maximum, IsTheLargestSoFar) {
  Maximum<std::int64_t> maximum({1, 64});
  EXPECT_EQ(maximum.guess(0).value, nullptr);
  for (const std::int64_t value : {-10, -20}) maximum.learn(0, value, 0);
  EXPECT_EQ(*maximum.guess(0).value, -10);
  maximum.learn(0, 5, 0);
  EXPECT_EQ(*maximum.guess(0).value, 5);
}

TEST(Maximum, OfMessagesIsThatOfTheirSizes) {
  Maximum<Message> maximum({1, 64});
  maximum.learn(0, message(200, 1), 0);
  maximum.learn(0, message(100, 2), 0);
  EXPECT_EQ(*maximum.guess(0).value, message(200, 2));
}

TEST(Maximum, OfFieldsIsThatOfEach) {
  std::vector<Arrival> arrivals;
  for (const auto& [bytes, source] : {std::pair{100, 5}, {200, 3}, {200, 5}}) {
    arrivals.push_back({Receive{}, message(bytes, source), 0});
  }
  EXPECT_EQ(score_of("maximum", Form::fields, arrivals, 2).whole.right_count, 1);
  EXPECT_EQ(score_of("maximum", Form::whole, arrivals, 2).whole.right_count, 0);
}

}  // namespace
}  // namespace tasuki::predict
