#include "runtime/calls/admission.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "fiber/harness.hpp"

namespace tasuki::runtime {
namespace {

/// How many steps a message waits on a rank with a fiber cap of 4 and so many fibers, all of which
/// wait; or all but one, which can always run, as if it yielded until a message comes.
std::size_t steps_before_reading(std::size_t fibers_count, bool one_can_run) {
  ::setenv("TASUKI_FIBER_CAP", "4", 1);
  std::size_t steps = 0;
  fiber::Harness harness({.stack_bytes = fiber::Scheduler::stack_min_bytes});
  harness.run([&] {
    std::vector<fiber::Fiber*> waiting;
    for (std::size_t i = 0; i < fibers_count; ++i) {
      waiting.push_back(harness.spawn([&] { harness.suspend(); }));
    }
    harness.scheduler.yield();
    if (one_can_run) harness.spawn([] {});
    const Traffic traffic(1);
    const Load load(harness.scheduler, traffic);
    Admission admission(load, harness.scheduler, false);
    while (!admission.may_take_in()) ++steps;
    for (fiber::Fiber* const fiber : waiting) harness.scheduler.make_ready(fiber);
    harness.drain();
  });
  ::unsetenv("TASUKI_FIBER_CAP");
  return steps;
}

TEST(AdmissionTest, WhenAllFibersWaitTheNextMessageIsReadAtOnce) {
  EXPECT_EQ(steps_before_reading(1, true), 0U);
  EXPECT_EQ(steps_before_reading(60, false), 0U);
}

// What the fibers wait for may be behind many messages, of which each would wait for seconds.
TEST(AdmissionTest, AFewFibersDelayNoMessageForLongHoweverSmallTheCap) {
  EXPECT_EQ(steps_before_reading(8, true), 1000U);
  EXPECT_EQ(steps_before_reading(60, true), 1000U);
}

TEST(AdmissionTest, DelaysDoubleWithManyFibers) {
  EXPECT_EQ(steps_before_reading(1100, true), 2000U);
  EXPECT_EQ(steps_before_reading(2100, true), 4000U);
}

}  // namespace
}  // namespace tasuki::runtime
