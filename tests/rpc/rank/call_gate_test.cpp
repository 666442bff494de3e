#include "rpc/rank/call_gate.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tasuki::rpc {
namespace {

using Clock = CallGate::Clock;

/// A gate, and what it has answered the front end.
struct Gate {
  explicit Gate(Clock::time_point patience_end)
      : gate([this](std::int64_t count) { answers.push_back(count); }, patience_end) {}

  std::vector<std::int64_t> answers;
  CallGate gate;
};

Clock::time_point later() { return Clock::now() + std::chrono::hours(1); }

TEST(CallGateTest, CallsBeginUntilTheFrontEndWantsTheRanksBack) {
  Gate one(later());
  EXPECT_TRUE(one.gate.begin());
  EXPECT_TRUE(one.gate.begin());
  EXPECT_FALSE(one.gate.is_over());
  one.gate.hold(false);
  EXPECT_EQ(one.answers, std::vector<std::int64_t>{2});
  EXPECT_FALSE(one.gate.is_open());
  EXPECT_FALSE(one.gate.begin());
  EXPECT_FALSE(one.gate.is_over());
  EXPECT_EQ(one.gate.calls_count(), 2);
}

TEST(CallGateTest, ACallThatAnotherRankHasBegunMayBeginHereToo) {
  Gate one(later());
  EXPECT_TRUE(one.gate.begin());
  one.gate.hold(false);
  one.gate.end_after(2);
  EXPECT_TRUE(one.gate.is_open());
  EXPECT_FALSE(one.gate.is_over());
  EXPECT_TRUE(one.gate.begin());
  EXPECT_TRUE(one.gate.is_over());
  EXPECT_FALSE(one.gate.begin());
}

TEST(CallGateTest, TheFirstCallIsWaitedFor) {
  Gate one(later());
  one.gate.hold(false);
  EXPECT_TRUE(one.answers.empty());
  EXPECT_TRUE(one.gate.patience());
  EXPECT_TRUE(one.gate.begin());
  EXPECT_EQ(one.answers, std::vector<std::int64_t>{1});
  EXPECT_FALSE(one.gate.patience());
  EXPECT_FALSE(one.gate.begin());
}

TEST(CallGateTest, TheFirstCallOfAClientThatHasGoneIsNotWaitedFor) {
  Gate one(later());
  one.gate.hold(true);
  EXPECT_EQ(one.answers, std::vector<std::int64_t>{0});
  EXPECT_FALSE(one.gate.begin());
  one.gate.end_after(0);
  EXPECT_TRUE(one.gate.is_over());
}

TEST(CallGateTest, TheFrontEndIsAnsweredOnce) {
  Gate one(later());
  EXPECT_TRUE(one.gate.begin());
  one.gate.hold(false);
  one.gate.hold(true);
  EXPECT_EQ(one.answers, std::vector<std::int64_t>{1});
}

TEST(CallGateTest, AFirstCallThatDoesNotComeIsNotWaitedForForEver) {
  Gate one(later());
  one.gate.hold(false);
  one.gate.lose_patience();
  EXPECT_EQ(one.answers, std::vector<std::int64_t>{0});
  EXPECT_FALSE(one.gate.begin());

  Gate late(Clock::now());
  late.gate.hold(false);
  EXPECT_EQ(late.answers, std::vector<std::int64_t>{0});
}

TEST(CallGateTest, PatienceIsNotLostWhereNobodyWaits) {
  Gate one(later());
  one.gate.lose_patience();
  EXPECT_TRUE(one.answers.empty());
  EXPECT_TRUE(one.gate.begin());
}

}  // namespace
}  // namespace tasuki::rpc
