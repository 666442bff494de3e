#include <gtest/gtest.h>
#include <tasuki/detail/predict/fixed_wait.hpp>

namespace tasuki::predict {
namespace {

constexpr FixedTimes times;

TEST(FixedWait, SpinsThenYieldsThenSleeps) {
  EXPECT_EQ(fixed_step(0).action, WaitAction::spin);
  EXPECT_EQ(fixed_step(times.spin_ns - 10).duration_ns, 10) << "spinning ends in time";
  EXPECT_EQ(fixed_step(times.spin_ns).action, WaitAction::yield);
  EXPECT_EQ(fixed_step(times.yield_until_ns - 1).action, WaitAction::yield);
  const WaitStep step = fixed_step(times.yield_until_ns);
  EXPECT_EQ(step.action, WaitAction::sleep);
  EXPECT_EQ(step.duration_ns, times.sleep_ns);
}

}  // namespace
}  // namespace tasuki::predict
