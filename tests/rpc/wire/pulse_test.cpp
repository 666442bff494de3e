#include "rpc/wire/pulse.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace tasuki::rpc {
namespace {

using std::chrono::milliseconds;
using Peers = std::vector<int>;

class PulseTest : public testing::Test {
 protected:
  PulseTest() { pulse_.begin(now_); }

  /// Returns: who is to be asked until so much later.
  Peers pass(milliseconds time) {
    Peers asked;
    for (milliseconds passed{0}; passed < time; passed += milliseconds(500)) {
      now_ += milliseconds(500);
      const Peers some = pulse_.whom_to_ask(now_);
      asked.insert(asked.end(), some.begin(), some.end());
    }
    return asked;
  }

  Pulse::Clock::time_point now_{std::chrono::hours(1)};
  Pulse pulse_{6, 2};
};

TEST_F(PulseTest, EachIsAskedOnceUntilItAnswers) {
  EXPECT_EQ(pass(milliseconds(1500)), Peers{});
  EXPECT_EQ(pass(milliseconds(500)), (Peers{0, 1}));
  pulse_.hear(1);
  EXPECT_EQ(pass(milliseconds(1500)), Peers{});
  EXPECT_EQ(pass(milliseconds(500)), Peers{1});
  EXPECT_FALSE(pulse_.silent_one());
  pulse_.hear(1);
  pass(milliseconds(2000));
  EXPECT_EQ(pulse_.silent_one(), 0);
  pulse_.hear(0);
  EXPECT_FALSE(pulse_.silent_one());
}

TEST_F(PulseTest, WhatFallsSilentTogetherIsSilentWhenTheFirstHasBeenForTooLong) {
  pass(milliseconds(1500));
  pulse_.hear(1);
  pass(milliseconds(2500));
  EXPECT_FALSE(pulse_.is_silent(1));
  pass(milliseconds(2000));
  EXPECT_EQ(pulse_.silent_one(), 0);
  EXPECT_TRUE(pulse_.is_silent(0) && pulse_.is_silent(1));
  pulse_.hear(1);
  EXPECT_FALSE(pulse_.is_silent(1));
}

TEST_F(PulseTest, ANewWaitBeginsAnew) {
  pass(milliseconds(6000));
  EXPECT_EQ(pulse_.silent_one(), 0);
  pulse_.begin(now_);
  EXPECT_FALSE(pulse_.silent_one());
  EXPECT_EQ(pass(milliseconds(1500)), Peers{});
}

TEST_F(PulseTest, TimeInWhichTheWatcherItselfWasStoppedDoesNotCount) {
  pass(milliseconds(2000));
  now_ += std::chrono::hours(1);
  pulse_.whom_to_ask(now_);
  EXPECT_FALSE(pulse_.silent_one());
}

TEST_F(PulseTest, WhoIsAskedHasTwoThirdsOfTheTimeToAnswerHoweverLongTheStepBefore) {
  Pulse hasty(1, 1);
  hasty.begin(now_);
  EXPECT_EQ(hasty.whom_to_ask(now_ + milliseconds(1000)), Peers{0});
  EXPECT_EQ(hasty.whom_to_ask(now_ + milliseconds(1001)), Peers{});  // Another thread waits, too.
  EXPECT_FALSE(hasty.silent_one());
  hasty.whom_to_ask(now_ + milliseconds(1660));
  EXPECT_FALSE(hasty.silent_one());
  hasty.whom_to_ask(now_ + milliseconds(1680));
  EXPECT_EQ(hasty.silent_one(), 0);
}

}  // namespace
}  // namespace tasuki::rpc
