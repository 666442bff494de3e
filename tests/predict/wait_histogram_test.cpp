#include <gtest/gtest.h>
#include <tasuki/detail/predict/wait_histogram.hpp>

#include <limits>

namespace tasuki::predict {
namespace {

TEST(WaitHistogram, CountsByPowersOfTwo) {
  WaitHistogram waits;
  for (const std::int64_t ns : {0, 1, 2, 3, 4, 1023, 1024}) waits.add(ns);
  waits.add(std::numeric_limits<std::int64_t>::max());
  waits.add(-5);  // A clock that went back.
  EXPECT_EQ(waits.counts()[0], 3);
  EXPECT_EQ(waits.counts()[1], 2);
  EXPECT_EQ(waits.counts()[2], 1);
  EXPECT_EQ(waits.counts()[9], 1);
  EXPECT_EQ(waits.counts()[10], 1);
  EXPECT_EQ(waits.counts()[WaitHistogram::buckets_count - 1], 1);
  EXPECT_EQ(waits.waits_count(), 9);
}

TEST(WaitHistogram, RemainsWhatTheShortestOfTheLongOnesTook) {
  WaitHistogram waits;
  for (int i = 0; i < 50; ++i) waits.add(100);        // Bucket 6: 64 to 127 ns.
  for (int i = 0; i < 50; ++i) waits.add(1'000'000);  // Bucket 19: from 524288 ns.
  EXPECT_EQ(waits.remaining_ns(0, 0.02), 64);
  EXPECT_EQ(waits.remaining_ns(50, 0.02), 14);
  EXPECT_EQ(waits.remaining_ns(100, 0.02), 0);  // It may end at any moment.
  EXPECT_EQ(waits.remaining_ns(128, 0.02), 524288 - 128);
  EXPECT_EQ(waits.remaining_ns(600'000, 0.02), 0);
  EXPECT_EQ(waits.remaining_ns(0, 0.5), 524288);  // Half of them end before.
}

TEST(WaitHistogram, FewShortWaitsDoNotCount) {
  WaitHistogram waits;
  waits.add(100);
  for (int i = 0; i < 99; ++i) waits.add(1'000'000);
  EXPECT_EQ(waits.remaining_ns(0, 0.02), 524288);
  EXPECT_EQ(waits.remaining_ns(0, 0.005), 64);
}

TEST(WaitHistogram, NothingIsKnownOfLongerWaitsThanEver) {
  WaitHistogram waits;
  EXPECT_FALSE(waits.remaining_ns(0, 0.02));
  waits.add(100);
  EXPECT_FALSE(waits.remaining_ns(128, 0.02));
}

TEST(WaitHistogram, ForgetsOldWaits) {
  WaitHistogram waits;
  for (int i = 0; i < 500; ++i) waits.add(100);
  for (int i = 0; i < 20'000; ++i) waits.add(1'000'000);
  EXPECT_EQ(waits.counts()[6], 0);
  EXPECT_LT(waits.waits_count(), WaitHistogram::waits_most);
  EXPECT_EQ(waits.remaining_ns(0, 0.001), 524288);
}

}  // namespace
}  // namespace tasuki::predict
