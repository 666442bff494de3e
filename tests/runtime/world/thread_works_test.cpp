// Work of other threads for a rank that sleeps. What it is for: rank_thread_test.cpp.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <tasuki/rank_thread.hpp>
#include <tasuki/tasuki.hpp>
#include <thread>

#include "support/thread_job.hpp"

namespace tasuki::test {
namespace {

/// The rank waits for a value that only another thread of the program brings, time and again.
TEST(ThreadWorksTest, TheyWakeTheRank) {
  constexpr int rounds_count = 200;
  run_threads(1,
              [] {
                Sync<int> arrived;
                auto other = spawn_thread([&] {
                  for (int round = 0; round < rounds_count; ++round) {
                    const int answer = on_rank_thread([&arrived, round] {
                                         arrived.write(round);
                                         return 2 * round;
                                       }).get();
                    EXPECT_EQ(answer, 2 * round);
                  }
                });
                for (int round = 0; round < rounds_count; ++round) EXPECT_EQ(arrived.read(), round);
                other.get();
              },
              {.sleeps_until_woken = true});
}

TEST(ThreadWorksTest, TheEndOfAThreadWakesTheRank) {
  run_threads(1,
              [] {
                for (int round = 0; round < 50; ++round) {
                  EXPECT_EQ(spawn_thread([round] { return round; }).get(), round);
                }
              },
              {.sleeps_until_woken = true});
}

// The rank's thread waits for the other one without serving it, and then its function returns.
TEST(ThreadWorksTest, WhatIsHandedOverLastIsBegun) {
  constexpr int rounds_count = 20;
  for (int round = 0; round < rounds_count; ++round) {
    bool has_run = false;
    bool has_spawned_run = false;
    std::future<void> result;
    run_threads(1, [&] {
      std::thread([&] {
        result = on_rank_thread([&] {
          yield();
          static_cast<void>(spawn([&] { has_spawned_run = true; }));
          has_run = true;
        });
      }).join();
    });
    EXPECT_TRUE(has_run && has_spawned_run);
    EXPECT_NO_THROW(result.get());
  }
}

// A thread that outlives the job: what is taken from it is done, the rest is refused.
TEST(ThreadWorksTest, NothingIsLostAtTheEnd) {
  constexpr int rounds_count = 50;
  for (int round = 0; round < rounds_count; ++round) {
    std::atomic<bool> has_begun = false;
    std::atomic<int> done_count = 0;
    int taken_count = 0;
    std::string text;
    std::thread other([&] {
      while (!has_begun) std::this_thread::yield();
      try {
        for (;;) {
          auto last = on_rank_thread([&] { ++done_count; });
          ++taken_count;
          last.get();
        }
      } catch (const error& e) {
        text = e.what();
      }
    });
    run_threads(1, [&] {
      has_begun = true;
      while (done_count == 0) yield();
    });
    other.join();
    EXPECT_EQ(done_count, taken_count);
    EXPECT_NE(text.find("tasuki::run has not started, or is over"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tasuki::test
