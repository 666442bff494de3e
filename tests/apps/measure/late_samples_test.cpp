#include "measure/late_samples.hpp"

#include <gtest/gtest.h>

namespace tasuki::measure {
namespace {

using Times = std::vector<double>;

TEST(LateSamples, AreRejected) {
  EXPECT_EQ(punctual({{1, 1000, 20}, {2, 1000, 400}, {3, 1000, 90}}), (Times{1, 3}));
}

TEST(LateSamples, CountWhereMostAreLate) {
  EXPECT_EQ(punctual({{1, 1000, 200}, {2, 1000, 400}, {3, 1000, 90}}), (Times{1, 2, 3}));
  EXPECT_EQ(punctual({{1, 1000, 5e9}}), Times{1});
}

TEST(LateSamples, AreJudgedByTheirOwnBatch) {
  EXPECT_EQ(punctual({{1, 1e6, 400}, {2, 1e6, 400}, {3, 1000, 400}}), (Times{1, 2}));
}

}  // namespace
}  // namespace tasuki::measure
