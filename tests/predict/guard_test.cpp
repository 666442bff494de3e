#include <gtest/gtest.h>
#include <tasuki/detail/predict/guard.hpp>

#include <random>

namespace tasuki::predict {
namespace {

/// The number of actions taken for the messages, each with this gain.
int actions(Guard& guard, int messages_count, std::int64_t gain_ns) {
  int taken = 0;
  for (int i = 0; i < messages_count; ++i) {
    if (!guard.allows()) continue;
    ++taken;
    guard.record(gain_ns);
  }
  return taken;
}

TEST(Guard, StaysOpenWhileItPays) {
  Guard guard;
  EXPECT_EQ(actions(guard, 1000, 50), 1000);
}

TEST(Guard, ClosesWhenItDoesNot) {
  Guard guard;
  EXPECT_LE(actions(guard, 100'000, -50), 20);
  EXPECT_FALSE(guard.is_open());
}

TEST(Guard, OneLossAmongGainsDoesNotClose) {
  Guard guard;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(guard.allows()) << i;
    guard.record(i % 10 == 9 ? -300 : 100);
  }
}

TEST(Guard, OpensAgainWhenThingsHaveChanged) {
  Guard guard;
  actions(guard, 10'000, -50);
  EXPECT_GT(actions(guard, 20'000, 50), 10'000);
  EXPECT_TRUE(guard.is_open());
}

TEST(Guard, PausesBecomeLongerAndEnd) {
  Guard guard;
  actions(guard, 100'000, -50);
  EXPECT_LE(actions(guard, 100 * static_cast<int>(Guard::longest_pause_count), -50), 101);
  EXPECT_GE(actions(guard, 100 * static_cast<int>(Guard::longest_pause_count), -50), 99);
}

TEST(Guard, AStreamThatDeceivesItCostsLittle) {
  // It gains whenever the guard is closed and loses whenever it is open.
  Guard guard;
  std::int64_t gain_ns = 0;
  constexpr int messages_count = 1'000'000;
  for (int i = 0; i < messages_count; ++i) {
    const bool was_open = guard.is_open();
    if (!guard.allows()) continue;
    const std::int64_t one_ns = was_open ? -1000 : 1;
    gain_ns += one_ns;
    guard.record(one_ns);
  }
  EXPECT_GT(gain_ns, -std::int64_t{messages_count} * 1000 / 1000);
}

}  // namespace
}  // namespace tasuki::predict
