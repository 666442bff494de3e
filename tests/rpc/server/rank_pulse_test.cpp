#include "rpc/server/rank_pulse.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace tasuki::rpc {
namespace {

using std::chrono::milliseconds;
using Ranks = std::vector<int>;

class RankPulseTest : public testing::Test {
 protected:
  RankPulseTest() { pulse_.begin(now_); }

  /// Returns: who is to be asked until so much later.
  Ranks pass(milliseconds time) {
    Ranks asked;
    for (milliseconds passed{0}; passed < time; passed += milliseconds(500)) {
      now_ += milliseconds(500);
      const Ranks some = pulse_.whom_to_ask(now_);
      asked.insert(asked.end(), some.begin(), some.end());
    }
    return asked;
  }

  RankPulse::Clock::time_point now_{std::chrono::hours(1)};
  RankPulse pulse_{6, 2};
};

TEST_F(RankPulseTest, EachIsAskedOnceUntilItAnswers) {
  EXPECT_EQ(pass(milliseconds(1500)), Ranks{});
  EXPECT_EQ(pass(milliseconds(500)), (Ranks{0, 1}));
  pulse_.hear(1);
  EXPECT_EQ(pass(milliseconds(1500)), Ranks{});
  EXPECT_EQ(pass(milliseconds(500)), Ranks{1});
  EXPECT_FALSE(pulse_.silent_rank());
  pulse_.hear(1);
  pass(milliseconds(2000));
  EXPECT_EQ(pulse_.silent_rank(), 0);
  pulse_.hear(0);
  EXPECT_FALSE(pulse_.silent_rank());
}

TEST_F(RankPulseTest, WhatFallsSilentTogetherIsSilentWhenTheFirstHasBeenForTooLong) {
  pass(milliseconds(1500));
  pulse_.hear(1);
  pass(milliseconds(2500));
  EXPECT_FALSE(pulse_.is_silent(1));
  pass(milliseconds(2000));
  EXPECT_EQ(pulse_.silent_rank(), 0);
  EXPECT_TRUE(pulse_.is_silent(0) && pulse_.is_silent(1));
  pulse_.hear(1);
  EXPECT_FALSE(pulse_.is_silent(1));
}

TEST_F(RankPulseTest, ANewLeaseBeginsAnew) {
  pass(milliseconds(6000));
  EXPECT_EQ(pulse_.silent_rank(), 0);
  pulse_.begin(now_);
  EXPECT_FALSE(pulse_.silent_rank());
  EXPECT_EQ(pass(milliseconds(1500)), Ranks{});
}

TEST_F(RankPulseTest, TimeInWhichTheFrontEndItselfWasStoppedDoesNotCount) {
  pass(milliseconds(2000));
  now_ += std::chrono::hours(1);
  pulse_.whom_to_ask(now_);
  EXPECT_FALSE(pulse_.silent_rank());
}

}  // namespace
}  // namespace tasuki::rpc
