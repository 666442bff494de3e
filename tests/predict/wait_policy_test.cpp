#include <gtest/gtest.h>
#include <tasuki/detail/predict/wait_policy.hpp>

#include <algorithm>

namespace tasuki::predict {
namespace {

constexpr WaitLimits limits;

WaitHistogram waits_of(std::int64_t wait_ns, int count = 200) {
  WaitHistogram waits;
  for (int i = 0; i < count; ++i) waits.add(wait_ns);
  return waits;
}

TEST(WaitPolicy, SpinsWhereNobodyElseNeedsTheCore) {
  for (const std::int64_t elapsed_ns : {0, 1000, 100'000}) {
    const WaitStep step = next_step(waits_of(5000), elapsed_ns, false);
    EXPECT_EQ(step.action, WaitAction::spin) << elapsed_ns;
    EXPECT_EQ(step.duration_ns, limits.spin_step_ns);
  }
}

TEST(WaitPolicy, YieldsASharedCoreUnlessTheMessageIsNear) {
  EXPECT_EQ(next_step(waits_of(500), 0, true).action, WaitAction::spin);
  EXPECT_EQ(next_step(waits_of(500), limits.spin_most_ns, true).action, WaitAction::yield);
  EXPECT_EQ(next_step(waits_of(50'000), 0, true).action, WaitAction::yield);
  EXPECT_EQ(next_step({}, 0, true).action, WaitAction::spin);
  EXPECT_EQ(next_step({}, limits.spin_most_ns, true).action, WaitAction::yield);
}

TEST(WaitPolicy, SpinningOnASharedCoreEndsInTime) {
  const WaitStep step = next_step(waits_of(500), limits.spin_most_ns - 10, true);
  EXPECT_EQ(step.action, WaitAction::spin);
  EXPECT_EQ(step.duration_ns, 10);
}

TEST(WaitPolicy, SleepsInALongWaitThatIsKnownToBeLong) {
  const WaitHistogram waits = waits_of(100'000'000);  // At least 67.1 ms.
  for (const bool is_oversubscribed : {false, true}) {
    const WaitStep step = next_step(waits, 1'000'000, is_oversubscribed);
    EXPECT_EQ(step.action, WaitAction::sleep);
    EXPECT_EQ(step.duration_ns, 500'000 - limits.sleep_late_ns);
    // It is awake again before the message may come.
    const WaitStep last = next_step(waits, 67'000'000, is_oversubscribed);
    EXPECT_NE(last.action, WaitAction::sleep);
  }
}

TEST(WaitPolicy, NoSleepGoesPastTheShortestUsualWait) {
  const WaitHistogram waits = waits_of(100'000'000);
  constexpr std::int64_t shortest_ns = 1 << 26;
  std::int64_t elapsed_ns = 0;
  int sleeps_count = 0;
  while (elapsed_ns < shortest_ns) {
    const WaitStep step = next_step(waits, elapsed_ns, false);
    const bool is_sleep = step.action == WaitAction::sleep;
    sleeps_count += is_sleep ? 1 : 0;
    const std::int64_t taken_ns = step.duration_ns + (is_sleep ? limits.sleep_late_ns : 0);
    elapsed_ns += taken_ns;
    if (is_sleep) {
      EXPECT_LE(elapsed_ns, shortest_ns);
    }
  }
  EXPECT_GE(sleeps_count, 10);
  EXPECT_LE(sleeps_count, 40);
}

TEST(WaitPolicy, FewWaitsAreNoReasonToSleep) {
  EXPECT_EQ(next_step(waits_of(100'000'000, 63), 1'000'000, false).action, WaitAction::spin);
}

TEST(WaitPolicy, OneShortWaitInTenIsAReasonNotToSleep) {
  WaitHistogram waits = waits_of(100'000'000);
  for (int i = 0; i < 20; ++i) waits.add(1'200'000);
  EXPECT_EQ(next_step(waits, 1'100'000, false).action, WaitAction::spin);
  EXPECT_EQ(next_step(waits, 2'100'000, false).action, WaitAction::sleep);
}

TEST(WaitPolicy, AWaitLongerThanEverIsLengthenedByOnePartInAHundred) {
  const WaitStep step = next_step(waits_of(1000), 1'000'000'000, false);
  EXPECT_EQ(step.action, WaitAction::sleep);
  EXPECT_EQ(step.duration_ns, 10'000'000 - limits.sleep_late_ns);
  EXPECT_EQ(next_step(waits_of(1000), 10'000'000, false).action, WaitAction::spin);
}

}  // namespace
}  // namespace tasuki::predict
