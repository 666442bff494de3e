#include "fiber/stack_pool.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <tasuki/error.hpp>
#include <vector>

#include "fiber/harness.hpp"

namespace tasuki::fiber {
namespace {

constexpr std::size_t stack_bytes = 64 * 1024;

// ThreadSanitizer takes about a millisecond to make a fiber and knows at most 8,128 at once.
#if defined(__SANITIZE_THREAD__)
constexpr int many_fibers_count = 500;
#else
constexpr int many_fibers_count = 5000;
#endif

/// Resident pages of the stack, the control block's own page not counted.
std::size_t resident_pages(const Fiber* fiber) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t pages = fiber->stack_bytes / page;
  std::vector<unsigned char> resident(pages);
  EXPECT_EQ(::mincore(fiber->stack_bottom, pages * page, resident.data()), 0);
  return static_cast<std::size_t>(std::count_if(resident.begin(), resident.end(),
                                                [](unsigned char c) { return (c & 1) != 0; }));
}

void touch(const Fiber* fiber) { std::memset(fiber->stack_bottom, 1, fiber->stack_bytes); }

TEST(StackPool, GivesDistinctStacksOfTheSizeAskedFor) {
  StackPool pool(stack_bytes, 8);
  std::vector<Fiber*> fibers;
  for (int i = 0; i < 100; ++i) {
    Fiber* const fiber = pool.take();
    EXPECT_GE(fiber->stack_bytes, stack_bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(fiber) % 64, 0u);
    EXPECT_EQ(static_cast<std::byte*>(fiber->stack_bottom) + fiber->stack_bytes,
              reinterpret_cast<std::byte*>(fiber));
    touch(fiber);
    fibers.push_back(fiber);
  }
  std::sort(fibers.begin(), fibers.end());
  for (std::size_t i = 1; i < fibers.size(); ++i) {
    EXPECT_GE(static_cast<std::byte*>(fibers[i]->stack_bottom),
              reinterpret_cast<std::byte*>(fibers[i - 1] + 1) + StackPool::guard_bytes);
  }
  EXPECT_EQ(pool.mapped_count(), 100u);
}

TEST(StackPool, SpreadsTheControlBlocksOverTheCacheSets) {
  StackPool pool(stack_bytes, 8);
  std::set<std::uintptr_t> sets;
  for (int i = 0; i < 32; ++i) {
    sets.insert(reinterpret_cast<std::uintptr_t>(pool.take()) / 64 % 64);
  }
  EXPECT_EQ(sets.size(), 32u);
}

TEST(StackPool, GivesTheStackReturnedLastFirst) {
  StackPool pool(stack_bytes, 8);
  Fiber* const a = pool.take();
  Fiber* const b = pool.take();
  pool.give_back(a);
  pool.give_back(b);
  EXPECT_EQ(pool.take(), b);
  EXPECT_EQ(pool.take(), a);
  EXPECT_EQ(pool.mapped_count(), 2u);
}

TEST(StackPool, KeepsTheMemoryOfOnlySoManyFreeStacks) {
  constexpr std::size_t pooled_count = 3;
  StackPool pool(stack_bytes, pooled_count);
  std::vector<Fiber*> fibers;
  for (int i = 0; i < 10; ++i) {
    fibers.push_back(pool.take());
    touch(fibers.back());
  }
  for (Fiber* const fiber : fibers) {
    pool.give_back(fiber);
    // A fiber gives its stack back while it still runs on it.
    EXPECT_EQ(resident_pages(fiber), fiber->stack_bytes / 4096);
  }
  const auto warm_count = std::count_if(
      fibers.begin(), fibers.end(), [](const Fiber* fiber) { return resident_pages(fiber) > 0; });
  EXPECT_EQ(warm_count, static_cast<std::ptrdiff_t>(pooled_count));
  for (int i = 0; i < 10; ++i) touch(pool.take());
  EXPECT_EQ(pool.mapped_count(), 10u);
}

TEST(StackPool, WorksWithoutKeepingAny) {
  StackPool pool(stack_bytes, 0);
  for (int i = 0; i < 10; ++i) {
    Fiber* const fiber = pool.take();
    touch(fiber);
    pool.give_back(fiber);
  }
  EXPECT_EQ(pool.mapped_count(), 1u);
}

TEST(StackPool, FindsTheFiberOfAGuardAndOfNothingElse) {
  StackPool pool(stack_bytes, 8);
  for (int i = 0; i < 40; ++i) {
    const Fiber* const fiber = pool.take();
    const auto* const bottom = static_cast<const std::byte*>(fiber->stack_bottom);
    EXPECT_EQ(pool.find(bottom - 1), fiber);
    EXPECT_EQ(pool.find(bottom - StackPool::guard_bytes), fiber);
    EXPECT_EQ(pool.find(bottom), nullptr);
    EXPECT_EQ(pool.find(fiber), nullptr);
  }
  int elsewhere = 0;
  EXPECT_EQ(pool.find(&elsewhere), nullptr);
  EXPECT_EQ(pool.find(nullptr), nullptr);
}

TEST(StackPool, SaysWhatToDoWhenThereIsNoMemory) {
  StackPool pool(std::size_t{1} << 46, 8);
  try {
    pool.take();
    FAIL() << "no error";
  } catch (const error& failure) {
    EXPECT_EQ(failure.operation(), "starting a fiber");
    EXPECT_NE(failure.remedy().find("TASUKI_STACK_BYTES"), std::string::npos) << failure.what();
    EXPECT_NE(failure.remedy().find("ulimit -v"), std::string::npos) << failure.what();
  }
}

// The system's usual 65,530 mappings would do for 32,765 of two each.
#if !defined(__SANITIZE_THREAD__)
class GuardedStacks : public testing::TestWithParam<StackPool::Guards> {};
INSTANTIATE_TEST_SUITE_P(Guards, GuardedStacks,
                         testing::Values(StackPool::Guards::inside, StackPool::Guards::by_mapping),
                         [](const auto& guards) {
                           return guards.param == StackPool::Guards::inside ? "inside"
                                                                            : "by_mapping";
                         });

TEST_P(GuardedStacks, AreAsManyAsMemoryAllows) {
  StackPool pool(StackPool::guard_bytes, 8, GetParam());
  for (int i = 0; i < 40'000; ++i) *static_cast<int*>(pool.take()->stack_bottom) = i;
  EXPECT_EQ(pool.mapped_count(), 40'000u);
}
#endif

class GuardedStacksDeathTest : public testing::TestWithParam<StackPool::Guards> {};
INSTANTIATE_TEST_SUITE_P(Guards, GuardedStacksDeathTest,
                         testing::Values(StackPool::Guards::inside, StackPool::Guards::by_mapping));

TEST_P(GuardedStacksDeathTest, AreNotOverrun) {
  StackPool pool(stack_bytes, 8, GetParam());
  for (int i = 0; i < 3; ++i) {
    auto* const below = static_cast<volatile char*>(pool.take()->stack_bottom) - 1;
    EXPECT_DEATH(*below = 1, "");
    EXPECT_DEATH(*(below + 1 - StackPool::guard_bytes) = 1, "");
  }
}

TEST(StackReuse, HundredThousandFibersOneAfterAnotherUseOneStack) {
  Harness harness;
  std::set<const void*> stacks;
  long ended_count = 0;
  harness.run([&] {
    for (int i = 0; i < 100'000; ++i) {
      harness.spawn([&] {
        stacks.insert(harness.scheduler.current()->stack_bottom);
        ++ended_count;
      });
      harness.scheduler.yield();
    }
  });
  EXPECT_EQ(ended_count, 100'000);
  EXPECT_EQ(stacks.size(), 1u);
}

TEST(StackReuse, ThousandsOfFibersAtOnce) {
  Harness harness;
  harness.run([&] {
    for (int wave = 0; wave < 3; ++wave) {
      std::vector<Fiber*> fibers;
      long ended_count = 0;
      for (int i = 0; i < many_fibers_count; ++i) {
        fibers.push_back(harness.spawn([&, i] {
          volatile int kept = i;
          harness.suspend();
          harness.scheduler.yield();
          ended_count += kept == i ? 1 : 0;
        }));
      }
      harness.scheduler.yield();
      EXPECT_EQ(harness.scheduler.live_count(), 1u + many_fibers_count);
      for (Fiber* const fiber : fibers) harness.scheduler.make_ready(fiber);
      harness.drain();
      EXPECT_EQ(ended_count, many_fibers_count);
    }
  });
}

TEST(StackReuse, PromotedHandlersGiveTheirStacksBack) {
  Harness harness;
  std::set<const void*> stacks;
  harness.run([&] {
    for (int i = 0; i < 10'000; ++i) {
      harness.arrive([&] {
        stacks.insert(harness.scheduler.current()->stack_bottom);
        harness.scheduler.yield();
      });
      harness.drain();
    }
  });
  EXPECT_LE(stacks.size(), 3u);
}

TEST(StackReuse, UnfinishedFibersAreDroppedWithTheScheduler) {
  Harness harness;
  harness.run([&] {
    // Nothing on their stacks owns memory: destructors there never run.
    const auto wait = [](void* scheduler) {
      static_cast<Scheduler*>(scheduler)->suspend({.kind = WaitKind::reply});
    };
    harness.scheduler.spawn(wait, &harness.scheduler);
    harness.arrive([&] { harness.suspend(); });
    harness.scheduler.yield();
    EXPECT_EQ(harness.scheduler.live_count(), 3u);
  });
  EXPECT_EQ(harness.scheduler.live_count(), 2u);
}

}  // namespace
}  // namespace tasuki::fiber
