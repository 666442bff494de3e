#include "transport/shm/doorbell.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <tasuki/detail/base/clock.hpp>
#include <thread>

#include "support/meeting.hpp"

namespace tasuki::transport::shm {
namespace {

constexpr std::int64_t very_long_us = 20'000'000;

class DoorbellTest : public testing::TestWithParam<WakeOrder> {
 protected:
  void SetUp() override {
    if (GetParam() == WakeOrder::by_membarrier &&
        register_wake_order() != WakeOrder::by_membarrier) {
      GTEST_SKIP() << "the kernel has no membarrier(GLOBAL_EXPEDITED)";
    }
  }
};

TEST_P(DoorbellTest, SleepEndsAfterItsTime) {
  Doorbell bell{};
  bell.arm(GetParam());
  const std::int64_t start_ns = base::now_ns();
  EXPECT_FALSE(bell.sleep(20'000));
  EXPECT_GE(base::now_ns() - start_ns, 15'000'000);
  EXPECT_FALSE(bell.armed());
}

TEST_P(DoorbellTest, RingBetweenArmingAndSleepingIsNotLost) {
  Doorbell bell{};
  bell.arm(GetParam());
  EXPECT_TRUE(bell.armed());
  bell.ring(GetParam());
  EXPECT_FALSE(bell.armed());
  const std::int64_t start_ns = base::now_ns();
  EXPECT_TRUE(bell.sleep(very_long_us));
  EXPECT_LT(base::now_ns() - start_ns, 1'000'000'000);
}

TEST_P(DoorbellTest, RingingAnOwnerAwakeDoesNothing) {
  Doorbell bell{};
  bell.ring(GetParam());
  EXPECT_FALSE(bell.armed());
  bell.arm(GetParam());
  EXPECT_TRUE(bell.armed()) << "the ring before must not count";
  bell.disarm();
  EXPECT_FALSE(bell.armed());
}

/// The writer publishes numbers and rings; the owner must see each within far less than the time
/// it would sleep if a ring were lost.
TEST_P(DoorbellTest, NoWakeUpIsLost) {
  constexpr std::uint32_t rounds = 3000;
  Doorbell bell{};
  std::atomic<std::uint32_t> published{0};
  std::atomic<std::uint32_t> seen{0};
  std::thread writer([&] {
    register_wake_order();
    std::mt19937 random(1);
    for (std::uint32_t number = 1; number <= rounds; ++number) {
      while (seen.load(std::memory_order_acquire) != number - 1) std::this_thread::yield();
      // Meet the owner at every stage between awake and asleep.
      for (auto delay = random() % 2000; delay > 0; --delay) base::cpu_pause();
      published.store(number, std::memory_order_release);
      bell.ring(GetParam());
    }
  });
  std::int64_t longest_ns = 0;
  for (std::uint32_t number = 1; number <= rounds; ++number) {
    const std::int64_t start_ns = base::now_ns();
    while (published.load(std::memory_order_acquire) < number) {
      bell.arm(GetParam());
      if (published.load(std::memory_order_acquire) >= number) {
        bell.disarm();
        break;
      }
      bell.sleep(very_long_us);
    }
    longest_ns = std::max(longest_ns, base::now_ns() - start_ns);
    seen.store(number, std::memory_order_release);
  }
  writer.join();
  EXPECT_LT(longest_ns, very_long_us / 2 * 1000);
}

void dawdle(std::uint32_t steps) {
  for (std::uint32_t step = 0; step < steps; ++step)
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// The store-buffering litmus test: the owner arms and looks while the writer writes and rings.
/// Either the owner sees what was written or the ring has disarmed the bell.
TEST_P(DoorbellTest, OwnerOrWriterNoticesTheOther) {
  constexpr std::uint32_t rounds = 10'000;
  Doorbell bell{};
  alignas(2 * line_bytes) std::atomic<std::uint32_t> published{0};
  test::Meeting begin;
  test::Meeting end;
  std::thread writer([&] {
    register_wake_order();
    std::mt19937 random(1);
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      begin.come(round);
      dawdle(random() % 1024);
      published.store(round, std::memory_order_release);
      bell.ring(GetParam());
      end.come(round);
    }
  });
  std::uint32_t missed = 0;
  std::mt19937 random(2);
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    begin.come(round);
    dawdle(random() % 1024);
    bell.arm(GetParam());
    const bool seen = published.load(std::memory_order_relaxed) == round;
    end.come(round);
    if (!seen && bell.armed()) ++missed;
    bell.disarm();
  }
  writer.join();
  EXPECT_EQ(missed, 0u);
}

INSTANTIATE_TEST_SUITE_P(Orders, DoorbellTest,
                         testing::Values(WakeOrder::by_membarrier, WakeOrder::by_writer_fence),
                         [](const auto& instance) {
                           return instance.param == WakeOrder::by_membarrier ? "membarrier"
                                                                             : "fence";
                         });

}  // namespace
}  // namespace tasuki::transport::shm
