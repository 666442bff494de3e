#include <gtest/gtest.h>
#include <tasuki/detail/predict/known_wait.hpp>

namespace tasuki::predict {
namespace {

constexpr WaitLimits limits;

TEST(KnownWait, SleepsUntilShortlyBeforeTheEnd) {
  const std::int64_t remaining_ns = limits.sleep_late_ns + limits.sleep_least_ns;
  const WaitStep step = known_step(remaining_ns, true);
  EXPECT_EQ(step.action, WaitAction::sleep);
  EXPECT_EQ(step.duration_ns, limits.sleep_least_ns);
  EXPECT_EQ(known_step(remaining_ns - 1, true).action, WaitAction::yield);
}

TEST(KnownWait, NeverSleepsForLongAsTheRunMayDiffer) {
  EXPECT_EQ(known_step(INT64_C(60'000'000'000), true).duration_ns, known_sleep_most_ns);
}

TEST(KnownWait, SpinsAtTheEndAndYieldsAfterIt) {
  EXPECT_EQ(known_step(limits.spin_most_ns - 1, true).action, WaitAction::spin);
  EXPECT_EQ(known_step(-1, true).action, WaitAction::yield);
  EXPECT_EQ(known_step(-1, false).action, WaitAction::spin) << "nobody else needs the core";
}

}  // namespace
}  // namespace tasuki::predict
