#include <gtest/gtest.h>

#include <string>
#include <tasuki/detail/fiber/scheduler.hpp>
#include <tasuki/error.hpp>
#include <vector>

#include "fiber/harness.hpp"

namespace tasuki::fiber {
namespace {

TEST(Scheduler, RunsMainOnTheCallersStackAndPassesOnWhatItThrows) {
  Harness harness;
  int on_my_stack = 0;
  const void* address = nullptr;
  harness.run([&] {
    int local = 0;
    address = &local;
    EXPECT_NE(harness.scheduler.current(), nullptr);
    EXPECT_EQ(harness.scheduler.live_count(), 1u);
  });
  EXPECT_LT(std::abs(static_cast<const char*>(address) - reinterpret_cast<char*>(&on_my_stack)),
            1 << 20);
  EXPECT_EQ(harness.scheduler.current(), nullptr);
  EXPECT_THROW(harness.run([] { throw std::runtime_error("main failed"); }), std::runtime_error);
  EXPECT_EQ(harness.scheduler.live_count(), 0u);
  bool ran = false;
  harness.run([&] { ran = true; });
  EXPECT_TRUE(ran);
}

TEST(Scheduler, RunsReadyFibersFirstInFirstOut) {
  Harness harness;
  std::string order;
  harness.run([&] {
    for (const char name : {'a', 'b', 'c'}) {
      harness.spawn([&, name] {
        for (int turn = 0; turn < 3; ++turn) {
          order += name;
          harness.scheduler.yield();
        }
      });
    }
    EXPECT_TRUE(order.empty());
    harness.drain();
  });
  EXPECT_EQ(order, "abcabcabc");
}

TEST(Scheduler, PollsOncePerRound) {
  Harness harness;
  harness.run([&] {
    constexpr int fibers_count = 10;
    constexpr int turns_count = 100;
    for (int i = 0; i < fibers_count; ++i) {
      harness.spawn([&] {
        for (int turn = 0; turn < turns_count; ++turn) harness.scheduler.yield();
      });
    }
    harness.drain();
    // One step per turn of everybody, and one for the turn in which they end.
    EXPECT_GE(harness.step_count, turns_count);
    EXPECT_LE(harness.step_count, turns_count + 2);
  });
}

TEST(Scheduler, YieldPollsEvenWhenNobodyElseIsReady) {
  Harness harness;
  harness.run([&] {
    bool arrived = false;
    harness.arrive([&] { arrived = true; });
    harness.scheduler.yield();
    EXPECT_TRUE(arrived);
  });
}

TEST(Scheduler, AFiberWaitsUntilItIsMadeReady) {
  Harness harness;
  harness.run([&] {
    int progress = 0;
    Fiber* const fiber = harness.spawn([&] {
      progress = 1;
      harness.suspend();
      progress = 2;
    });
    for (int i = 0; i < 5; ++i) harness.scheduler.yield();
    EXPECT_EQ(progress, 1);
    EXPECT_FALSE(harness.scheduler.anything_ready());
    harness.scheduler.make_ready(fiber);
    EXPECT_TRUE(harness.scheduler.anything_ready());
    EXPECT_EQ(progress, 1);
    harness.drain();
    EXPECT_EQ(progress, 2);
  });
}

TEST(Scheduler, IdleCountsUntilSomethingIsDone) {
  Harness harness;
  std::vector<std::uint64_t> counts;
  Fiber* waiting = nullptr;
  harness.on_idle = [&](std::uint64_t idle_count) {
    counts.push_back(idle_count);
    if (counts.size() == 2) harness.arrive([] {});
    if (counts.size() == 5) harness.scheduler.make_ready(waiting);
  };
  harness.run([&] {
    waiting = harness.scheduler.current();
    harness.suspend();
  });
  EXPECT_EQ(counts, (std::vector<std::uint64_t>{0, 1, 0, 1, 2}));
}

TEST(Scheduler, AHandlerRunsInlineOnThePollersStack) {
  Harness harness;
  harness.run([&] {
    EXPECT_FALSE(harness.scheduler.is_poller());
    const std::uint64_t switches = harness.scheduler.switch_count();
    int handled_count = 0;
    for (int i = 0; i < 100; ++i) {
      harness.arrive([&] { handled_count += harness.scheduler.is_poller() ? 1 : 0; });
    }
    harness.scheduler.yield();
    EXPECT_EQ(handled_count, 100);
    EXPECT_EQ(harness.scheduler.switch_count(), switches + 2);
    EXPECT_EQ(harness.scheduler.live_count(), 1u);
  });
}

TEST(Scheduler, AHandlerThatBlocksIsPromotedAndTheBatchGoesOn) {
  Harness harness;
  harness.run([&] {
    std::string order;
    Fiber* blocked = nullptr;
    harness.arrive([&] {
      order += 'a';
      blocked = harness.scheduler.current();
      harness.suspend();
      EXPECT_FALSE(harness.scheduler.is_poller());
      order += 'A';
    });
    harness.arrive([&] { order += 'b'; });
    harness.arrive([&] { order += 'c'; });
    harness.scheduler.yield();
    EXPECT_EQ(order, "abc");
    EXPECT_EQ(harness.scheduler.live_count(), 2u);
    harness.scheduler.make_ready(blocked);
    harness.drain();
    EXPECT_EQ(order, "abcA");
    EXPECT_EQ(harness.scheduler.live_count(), 1u);
  });
}

TEST(Scheduler, AHandlerThatYieldsIsPromoted) {
  Harness harness;
  harness.run([&] {
    std::string order;
    harness.arrive([&] {
      order += 'a';
      harness.scheduler.yield();
      EXPECT_FALSE(harness.scheduler.is_poller());
      order += 'A';
    });
    harness.arrive([&] { order += 'b'; });
    harness.drain();
    EXPECT_EQ(order, "abA");
  });
}

TEST(Scheduler, APromotionTakesTheStackThatIsPrepared) {
  Harness harness;
  harness.run([&] {
    Scheduler& scheduler = harness.scheduler;
    EXPECT_FALSE(scheduler.is_promotion_prepared());
    EXPECT_TRUE(scheduler.prepare_promotion());
    EXPECT_TRUE(scheduler.prepare_promotion());
    EXPECT_TRUE(scheduler.is_promotion_prepared());
    EXPECT_EQ(scheduler.live_count(), 1u);
    std::string order;
    for (const char name : {'a', 'b', 'c'}) {
      harness.arrive([&, name] {
        order += name;
        scheduler.yield();
        order += name;
      });
    }
    harness.drain();
    EXPECT_FALSE(scheduler.is_promotion_prepared());
    EXPECT_EQ(order, "abcabc");
    EXPECT_EQ(scheduler.live_count(), 1u);
  });
}

// Each handler of a batch blocks, so that each runs on a poller that is new; they are woken in the
// opposite order.
TEST(Scheduler, PromotionNests) {
  Harness harness;
  harness.run([&] {
    constexpr int handlers_count = 50;
    std::vector<Fiber*> blocked;
    std::vector<int> ended;
    for (int i = 0; i < handlers_count; ++i) {
      harness.arrive([&, i] {
        EXPECT_TRUE(harness.scheduler.is_poller());
        blocked.push_back(harness.scheduler.current());
        harness.suspend();
        harness.scheduler.yield();
        ended.push_back(i);
      });
    }
    harness.scheduler.yield();
    ASSERT_EQ(blocked.size(), static_cast<std::size_t>(handlers_count));
    EXPECT_EQ(harness.scheduler.live_count(), 1u + handlers_count);
    for (auto fiber = blocked.rbegin(); fiber != blocked.rend(); ++fiber) {
      harness.scheduler.make_ready(*fiber);
    }
    harness.drain();
    ASSERT_EQ(ended.size(), static_cast<std::size_t>(handlers_count));
    for (int i = 0; i < handlers_count; ++i) EXPECT_EQ(ended[i], handlers_count - 1 - i);
  });
}

// Handler i waits for handler i + 1, which arrives only because the poller goes on.
TEST(Scheduler, AChainOfHandlersThatWaitForEachOtherEnds) {
  Harness harness;
  harness.run([&] {
    constexpr int depth = 200;
    int deepest = 0;
    std::function<void(int, Fiber*)> handler = [&](int level, Fiber* caller) {
      if (level == depth) {
        deepest = level;
      } else {
        Fiber* const self = harness.scheduler.current();
        harness.arrive([&, level, self] { handler(level + 1, self); });
        harness.suspend();
      }
      harness.scheduler.make_ready(caller);
    };
    Fiber* const self = harness.scheduler.current();
    harness.arrive([&] { handler(1, self); });
    harness.suspend();
    EXPECT_EQ(deepest, depth);
    harness.drain();
  });
}

TEST(Scheduler, ListsWaitingFibersOldestFirst) {
  Harness harness;
  using Seen = std::vector<std::string>;
  const auto list = [&] {
    Seen seen;
    harness.scheduler.for_each_waiting(
        [](void* context, const Activity& activity, const WaitReason& reason) {
          static_cast<Seen*>(context)->push_back(
              std::string(activity.label) + std::to_string(activity.caller_rank) + "<" +
              std::to_string(static_cast<int>(reason.kind)) + ":" + std::to_string(reason.rank));
        },
        &seen);
    return seen;
  };
  harness.run([&] {
    EXPECT_TRUE(list().empty());
    Fiber* const first = harness.spawn([&] { harness.suspend(WaitKind::reply, 3); }, "first");
    harness.arrive([&] {
      harness.scheduler.set_activity(
          {.caller_rank = 7, .function = 0, .call_id = 1, .label = "handler"});
      harness.suspend(WaitKind::sync_read);
    });
    Fiber* const last = harness.spawn([&] { harness.suspend(WaitKind::room, 4); }, "last");
    harness.scheduler.yield();
    EXPECT_EQ(list(), (Seen{"handler7<2:-1", "first-1<1:3", "last-1<3:4"}));
    bool go_on = true;
    harness.spawn(
        [&] {
          while (go_on) harness.scheduler.yield();
        },
        "giver");
    harness.scheduler.make_ready(first);
    harness.scheduler.yield();
    EXPECT_EQ(list(), (Seen{"handler7<2:-1", "last-1<3:4", "giver-1<8:-1"}));
    go_on = false;
    harness.scheduler.make_ready(last);
    harness.drain(2);
  });
}

TEST(Scheduler, RefusesStacksThatAreTooSmall) {
  try {
    Harness harness(SchedulerOptions{.stack_bytes = 4096});
    FAIL() << "no error";
  } catch (const error& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("set TASUKI_STACK_BYTES to at least 16384"),
              std::string::npos)
        << refusal.what();
  }
}

}  // namespace
}  // namespace tasuki::fiber
