#include "transport/shm/idle_policy.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <tasuki/detail/base/clock.hpp>
#include <thread>
#include <vector>

namespace tasuki::transport::shm {
namespace {

using Step = IdlePolicy::Step;

class IdlePolicyTest : public testing::Test {
 protected:
  void TearDown() override {
    ::unsetenv("TASUKI_SPIN_US");
    ::unsetenv("TASUKI_SLEEP_AFTER_US");
  }

  /// The different steps of one idle period, in order, until it sleeps.
  static std::vector<Step> steps_until_sleep(IdlePolicy& policy) {
    std::vector<Step> steps;
    for (std::uint64_t idle = 0; steps.empty() || steps.back() != Step::sleep; ++idle) {
      const Step step = policy.next(idle);
      if (steps.empty() || steps.back() != step) steps.push_back(step);
    }
    return steps;
  }

  /// A yield in which this process computes for a time slice and more.
  static void compute_in_a_yield(IdlePolicy& policy) {
    while (policy.next(1) != Step::yield) {
    }
    const std::int64_t end_ns = base::now_ns() + 5'000'000;
    while (base::now_ns() < end_ns) {
    }
    policy.end_yield();
  }
};

TEST_F(IdlePolicyTest, WaitsMoreCheaplyTheLongerItTakes) {
  // Each step lasts longer than this test itself may lose the core for on a busy machine.
  ::setenv("TASUKI_SPIN_US", "300000", 1);
  ::setenv("TASUKI_SLEEP_AFTER_US", "600000", 1);
  IdlePolicy policy = IdlePolicy::from_settings(false);
  const std::vector<Step> expected{Step::poll, Step::pause, Step::yield, Step::sleep};
  EXPECT_EQ(steps_until_sleep(policy), expected);
  EXPECT_EQ(steps_until_sleep(policy), expected) << "a second period begins anew";
}

TEST_F(IdlePolicyTest, DoesNotSpinWhenRanksOutnumberCores) {
  ::setenv("TASUKI_SLEEP_AFTER_US", "300000", 1);
  IdlePolicy policy = IdlePolicy::from_settings(true);
  EXPECT_EQ(steps_until_sleep(policy), (std::vector<Step>{Step::yield, Step::sleep}));
}

TEST_F(IdlePolicyTest, SettingsDecide) {
  ::setenv("TASUKI_SPIN_US", "0", 1);
  ::setenv("TASUKI_SLEEP_AFTER_US", "0", 1);
  IdlePolicy policy = IdlePolicy::from_settings(false);
  EXPECT_EQ(policy.next(0), Step::sleep);
  ::setenv("TASUKI_SPIN_US", "1000000", 1);
  policy = IdlePolicy::from_settings(true);
  EXPECT_EQ(policy.next(0), Step::poll) << "asked for, so it spins though oversubscribed";
}

TEST_F(IdlePolicyTest, SleepsWhileOthersKeepTheCoreForLong) {
  ::setenv("TASUKI_SLEEP_AFTER_US", "60000000", 1);
  // Several tries, because this test itself may lose the core for longer than the policy sleeps.
  for (int attempt = 0; attempt < 50; ++attempt) {
    IdlePolicy policy = IdlePolicy::from_settings(true);
    ASSERT_EQ(policy.next(0), Step::yield);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    policy.end_yield();
    const bool slept = policy.next(1) == Step::sleep;
    const bool slept_in_next_period = policy.next(0) == Step::sleep;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_EQ(policy.next(1), Step::yield) << "after a while it must try again";
    if (slept && slept_in_next_period) return;
  }
  FAIL() << "a long yield changed nothing";
}

TEST_F(IdlePolicyTest, GoesOnYieldingWhileItIsRanksThatCompute) {
  ::setenv("TASUKI_SLEEP_AFTER_US", "60000000", 1);
  CpuShare ranks(1);
  // As if a hundred ranks used what this process can get, which on a busy machine is little.
  for (int i = 0; i < 100; ++i) ranks.add(::getpid());
  IdlePolicy policy = IdlePolicy::from_settings(true, ranks);
  compute_in_a_yield(policy);  // Tells the policy how much the ranks had before.
  compute_in_a_yield(policy);
  EXPECT_EQ(policy.next(2), Step::yield) << "ranks that compute made the others sleep";
}

TEST_F(IdlePolicyTest, GoesOnYieldingWhileOthersComputeForLessThanASlice) {
  ::setenv("TASUKI_SLEEP_AFTER_US", "60000000", 1);
  // Several tries, for the same reason.
  for (int attempt = 0; attempt < 50; ++attempt) {
    IdlePolicy policy = IdlePolicy::from_settings(true);
    ASSERT_EQ(policy.next(0), Step::yield);
    std::this_thread::sleep_for(std::chrono::microseconds(1500));
    policy.end_yield();
    if (policy.next(1) == Step::yield) return;
  }
  FAIL() << "ranks that take turns at computing would sleep instead";
}

TEST_F(IdlePolicyTest, SleepsOnlyAfterItsTime) {
  ::setenv("TASUKI_SLEEP_AFTER_US", "20000", 1);
  IdlePolicy policy = IdlePolicy::from_settings(true);
  const std::int64_t start_ns = base::now_ns();
  steps_until_sleep(policy);
  EXPECT_GE(base::now_ns() - start_ns, 20'000'000);
}

}  // namespace
}  // namespace tasuki::transport::shm
