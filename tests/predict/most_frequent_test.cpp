#include "predict/most_frequent.hpp"

#include <gtest/gtest.h>

#include <random>

#include "predict/arrivals.hpp"

namespace tasuki::predict {
namespace {

TEST(MostFrequent, IsWhatCameMostOften) {
  MostFrequent<std::int64_t> frequent({2, 64});
  EXPECT_EQ(frequent.guess(0).value, nullptr);
  for (const std::int64_t value : {1, 2, 2, 1, 1, 3}) frequent.learn(0, value, 0);
  for (const std::int64_t value : {3, 3}) frequent.learn(1, value, 0);
  EXPECT_EQ(*frequent.guess(0).value, 1);
  EXPECT_EQ(*frequent.guess(1).value, 3);
}

TEST(MostFrequent, IsNotLostAmongVeryManyRareValues) {
  std::mt19937 engine(1);
  MostFrequent<std::int64_t> frequent({1, 64});
  for (int i = 0; i < 100'000; ++i) {
    frequent.learn(0, i % 4 == 0 ? -1 : static_cast<std::int64_t>(engine()), 0);
  }
  EXPECT_EQ(*frequent.guess(0).value, -1);
}

TEST(MostFrequent, AForgottenStreamCountsAnew) {
  MostFrequent<std::int64_t> frequent({1, 64});
  for (int i = 0; i < 100; ++i) frequent.learn(0, 7, 0);
  frequent.forget(0);
  EXPECT_EQ(frequent.guess(0).value, nullptr);
  for (const std::int64_t value : {8, 7, 8}) frequent.learn(0, value, 0);
  EXPECT_EQ(*frequent.guess(0).value, 8);
}

}  // namespace
}  // namespace tasuki::predict
