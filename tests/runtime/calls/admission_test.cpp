#include "runtime/calls/admission.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <tasuki/detail/base/clock.hpp>
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

/// A rank without fibers whose backlog is longer with each message that it takes in.
class FloodedRank {
 public:
  FloodedRank() { load_.backlog_bytes = std::size_t{1} << 30; }

  /// Returns: how many messages it takes in before it holds off.
  std::size_t messages_at_once() {
    std::size_t count = 0;
    while (takes_in()) ++count;
    return count;
  }
  std::int64_t held_off_ns() {
    const std::int64_t begin_ns = base::now_ns();
    while (!takes_in()) {
    }
    return base::now_ns() - begin_ns;
  }
  void make_room(std::uint64_t messages_count) { load_.room_made_count += messages_count; }
  void add_to_backlog(std::size_t bytes) { load_.backlog_bytes += bytes; }
  bool takes_in() {
    const bool may = admission_.may_take_in();
    if (may) ++load_.backlog_bytes;
    return may;
  }

 private:
  fiber::Harness harness_{{.stack_bytes = fiber::Scheduler::stack_min_bytes}};
  Traffic traffic_{1};
  Load load_{harness_.scheduler, traffic_};
  Admission admission_{load_, harness_.scheduler, false};
};

// Else two that are flooded would take in a message each now and then, for hours.
TEST(AdmissionTest, AFloodedRankTakesAChannelFullInAtATime) {
  FloodedRank rank;
  rank.held_off_ns();
  EXPECT_EQ(rank.messages_at_once(), 15U);
}

TEST(AdmissionTest, ATurnEndsWhenItMakesTheBacklogMuchLonger) {
  FloodedRank rank;
  rank.held_off_ns();
  EXPECT_TRUE(rank.takes_in());
  rank.add_to_backlog(std::size_t{2} << 20);
  EXPECT_FALSE(rank.takes_in());
}

TEST(AdmissionTest, AFloodedRankHoldsOffTwiceAsLongUntilAsMuchHasLeftAsWasRead) {
  FloodedRank rank;
  std::int64_t last_ns = 0;
  std::size_t last_count = 0;
  for (int turn = 0; turn < 10; ++turn) {
    last_ns = rank.held_off_ns();
    last_count = rank.messages_at_once();
  }
  EXPECT_GE(last_ns, 16'000 << 6);  // The clock began a little before.
  EXPECT_EQ(last_count, 255U);
  // Each turn makes the next one come sooner, down to turns of the least length.
  for (int turn = 0; turn < 10; ++turn) {
    rank.make_room(256);
    rank.held_off_ns();
    last_count = rank.messages_at_once();
  }
  EXPECT_EQ(last_count, 15U);
}

}  // namespace
}  // namespace tasuki::runtime
