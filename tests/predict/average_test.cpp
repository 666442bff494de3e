#include "predict/average.hpp"

#include <gtest/gtest.h>

#include "predict/arrivals.hpp"

namespace tasuki::predict {
namespace {

TEST(Average, IsTheRoundedMean) {
  Average<std::int64_t> average({2, 64});
  EXPECT_EQ(average.guess(0).value, nullptr);
  for (const std::int64_t value : {10, 20, 31}) average.learn(0, value, 0);
  EXPECT_EQ(*average.guess(0).value, 20);
  EXPECT_EQ(average.guess(1).value, nullptr);
}

TEST(Average, OfMessagesIsThatOfTheirSizes) {
  Average<Message> average({1, 64});
  average.learn(0, message(100, 1), 0);
  average.learn(0, message(200, 2), 0);
  EXPECT_EQ(*average.guess(0).value, message(150, 2));
}

TEST(Average, BeginsAnewWhenForgotten) {
  Average<std::int64_t> average({1, 64});
  average.learn(0, 1000, 0);
  average.forget(0);
  average.learn(0, 10, 0);
  EXPECT_EQ(*average.guess(0).value, 10);
}

}  // namespace
}  // namespace tasuki::predict
