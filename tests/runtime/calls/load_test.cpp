#include <gtest/gtest.h>

#include <cstdlib>
#include <tasuki/detail/runtime/calls/load.hpp>

#include "fiber/harness.hpp"

namespace tasuki::runtime {
namespace {

/// What a rank without fibers has taken on, by the settings at the time it is made.
struct RankWithoutFibers {
  fiber::Harness harness{{.stack_bytes = fiber::Scheduler::stack_min_bytes}};
  Traffic traffic{1};
  Load load{harness.scheduler, traffic};
};

// Most of them need no fiber, and ranks that wait for each other too often get on slowly.
TEST(LoadTest, TwoAwaitedAnswersCountAsOneFiber) {
  RankWithoutFibers rank;
  rank.traffic.awaited_answers_count = 2047;
  EXPECT_FALSE(rank.load.is_overloaded());
  EXPECT_EQ(rank.load.doublings_count(), 0U);
  rank.traffic.awaited_answers_count = 2048;
  EXPECT_TRUE(rank.load.is_overloaded());
  EXPECT_EQ(rank.load.doublings_count(), 1U);
  EXPECT_FALSE(rank.load.is_full());
}

// Between two slots a rank polls so often that others get the processor; where they use it all, a
// few doublings are seconds.
TEST(LoadTest, AFewCallsDoubleNoDelayHoweverSmallTheCap) {
  ::setenv("TASUKI_FIBER_CAP", "4", 1);
  RankWithoutFibers rank;
  rank.traffic.awaited_answers_count = 60;
  EXPECT_TRUE(rank.load.is_overloaded());
  EXPECT_EQ(rank.load.doublings_count(), 0U);
  rank.traffic.awaited_answers_count = 4200;
  EXPECT_EQ(rank.load.doublings_count(), 2U);
  ::unsetenv("TASUKI_FIBER_CAP");
}

}  // namespace
}  // namespace tasuki::runtime
