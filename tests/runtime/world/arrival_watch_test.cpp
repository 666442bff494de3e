#include "runtime/world/arrival_watch.hpp"

#include <gtest/gtest.h>

namespace tasuki::test {
namespace {

TEST(ArrivalWatchTest, TimeRunsFromTheLookThatFoundTheCountChanged) {
  runtime::ArrivalWatch watch;
  EXPECT_EQ(watch.time_without_ns(0, 1000), 0) << "nothing was known before";
  EXPECT_EQ(watch.time_without_ns(0, 1010), 10);
  EXPECT_EQ(watch.time_without_ns(0, 1500), 500);
  EXPECT_EQ(watch.time_without_ns(1, 1600), 0);
  EXPECT_EQ(watch.time_without_ns(1, 1601), 1);
}

}  // namespace
}  // namespace tasuki::test
