#include <gtest/gtest.h>

#include <cstdlib>
#include <tasuki/detail/runtime/calls/load.hpp>

#include "fiber/harness.hpp"

namespace tasuki::runtime {
namespace {

// Most of them need no fiber, and ranks that wait for each other too often get on slowly.
TEST(LoadTest, TwoAwaitedAnswersCountAsOneFiber) {
  const fiber::Harness harness({.stack_bytes = fiber::Scheduler::stack_min_bytes});
  Traffic traffic(1);
  const Load load(harness.scheduler, traffic);
  traffic.awaited_answers_count = 2047;
  EXPECT_FALSE(load.is_overloaded());
  EXPECT_EQ(load.doublings_count(), 0U);
  traffic.awaited_answers_count = 2048;
  EXPECT_TRUE(load.is_overloaded());
  EXPECT_EQ(load.doublings_count(), 1U);
  EXPECT_FALSE(load.is_full());
}

// Between two slots a rank polls so often that others get the processor; where they use it all, a
// few doublings are seconds.
TEST(LoadTest, AFewCallsDoubleNoDelayHoweverSmallTheCap) {
  ::setenv("TASUKI_FIBER_CAP", "4", 1);
  const fiber::Harness harness({.stack_bytes = fiber::Scheduler::stack_min_bytes});
  Traffic traffic(1);
  const Load load(harness.scheduler, traffic);
  traffic.awaited_answers_count = 60;
  EXPECT_TRUE(load.is_overloaded());
  EXPECT_EQ(load.doublings_count(), 0U);
  traffic.awaited_answers_count = 4200;
  EXPECT_EQ(load.doublings_count(), 2U);
  ::unsetenv("TASUKI_FIBER_CAP");
}

}  // namespace
}  // namespace tasuki::runtime
