#include "predict/arrival_time.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "predict/arrivals.hpp"

namespace tasuki::predict {
namespace {

/// Value 1 comes every 10 us, value 2 every 25 us.
void learn_two(ArrivalTime<std::int64_t>& times, std::int64_t begin_us, std::int64_t end_us) {
  for (std::int64_t us = begin_us; us < end_us; ++us) {
    if (us % 10 == 3) times.learn(0, 1, us * 1000);
    if (us % 25 == 6) times.learn(0, 2, us * 1000);
  }
}

TEST(ArrivalTime, WhatIsDueNextIsPredicted) {
  ArrivalTime<std::int64_t> times({1, 64});
  EXPECT_EQ(times.guess(0).value, nullptr);
  learn_two(times, 0, 200);  // The last are 1 at 193 us, 2 at 181 us.
  EXPECT_EQ(*times.guess(0).value, 1);
  times.learn(0, 1, 203'000);
  EXPECT_EQ(*times.guess(0).value, 2);
  times.learn(0, 2, 206'000);
  EXPECT_EQ(*times.guess(0).value, 1);
}

TEST(ArrivalTime, WhatHasStoppedIsNoLongerExpected) {
  ArrivalTime<std::int64_t> times({1, 64});
  learn_two(times, 0, 100);
  for (std::int64_t us = 106; us < 200; us += 25) times.learn(0, 2, us * 1000);
  EXPECT_EQ(*times.guess(0).value, 2);
}

TEST(ArrivalTime, OneArrivalHasNoInterval) {
  ArrivalTime<std::int64_t> times({1, 64});
  times.learn(0, 1, 5000);
  EXPECT_EQ(times.guess(0).value, nullptr);
}

TEST(ArrivalTime, OfManyValuesTheNewestAreKnown) {
  ArrivalTime<std::int64_t> times({1, 64});
  for (std::int64_t value = 0; value < 1000; ++value) times.learn(0, value, value * 10);
  times.learn(0, 999, 10'000);
  EXPECT_EQ(*times.guess(0).value, 999);
}

}  // namespace
}  // namespace tasuki::predict
