#include "rpc/server/call_totals.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

CallRecord record(CallState state) {
  CallRecord made;
  made.state = state;
  made.queued_s = 0.05;
  made.client_s = 2;
  made.ranks = {{.seconds = {.receive = 0.5, .compute = 1}, .received_bytes = 10, .sent_bytes = 1},
                {.seconds = {.receive = 0.2, .compute = 3}, .received_bytes = 20}};
  return made;
}

TEST(CallTotalsTest, CallsAreCountedByHowTheyEndedWithTheBytesOfAllRanks) {
  CallTotals totals;
  totals.add(record(CallState::done));
  totals.add(record(CallState::done));
  totals.add(record(CallState::failed));
  EXPECT_EQ(totals.count(CallState::done), 2);
  EXPECT_EQ(totals.count(CallState::failed), 1);
  EXPECT_EQ(totals.count(CallState::cancelled), 0);
  EXPECT_EQ(totals.received_bytes, 90);
  EXPECT_EQ(totals.sent_bytes, 3);
}

TEST(CallTotalsTest, SecondsAreThoseOfTheSlowestRank) {
  CallTotals totals;
  totals.add(record(CallState::done));
  EXPECT_DOUBLE_EQ(totals.receive.sum_s(), 0.5);
  EXPECT_DOUBLE_EQ(totals.compute.sum_s(), 3);
  EXPECT_DOUBLE_EQ(totals.client.sum_s(), 2);
  EXPECT_DOUBLE_EQ(totals.queued.sum_s(), 0.05);
}

TEST(SecondsHistogramTest, BucketsHoldWhatIsAtMostTheirBounds) {
  SecondsHistogram seconds;
  seconds.add(0.1);
  seconds.add(0.5, 3);
  seconds.add(1000);
  const auto within = [&](double bound_s) {
    for (std::size_t i = 0; i < SecondsHistogram::bounds_s.size(); ++i) {
      if (SecondsHistogram::bounds_s[i] == bound_s) return seconds.count_within(i);
    }
    return std::int64_t{-1};
  };
  EXPECT_EQ(within(1e-2), 0);
  EXPECT_EQ(within(0.1), 1);
  EXPECT_EQ(within(1), 4);
  EXPECT_EQ(within(600), 4);
  EXPECT_EQ(seconds.count(), 5);
  EXPECT_DOUBLE_EQ(seconds.sum_s(), 0.1 + 1.5 + 1000);
}

}  // namespace
}  // namespace tasuki::rpc
