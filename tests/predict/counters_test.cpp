#include <gtest/gtest.h>
#include <tasuki/detail/predict/counters.hpp>

namespace tasuki::predict {
namespace {

TEST(Counters, CountStepsAndWhatWasDoneAgain) {
  Counters counters;
  counters.idle = 5;
  counters.count(4, 0);
  counters.count(4, 1);
  Counters all;
  all += counters;
  all += counters;
  EXPECT_EQ(all.idle, 10);
  EXPECT_EQ(all.predicted, 4);
  EXPECT_EQ(all.hit, 2);
  EXPECT_EQ(all.miss, 2);
  EXPECT_EQ(all.redone, 2);
  EXPECT_EQ(all.committed, 14);
}

}  // namespace
}  // namespace tasuki::predict
