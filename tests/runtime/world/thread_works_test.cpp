// Work of other threads for a rank that sleeps. What it is for: rank_thread_test.cpp.
#include <gtest/gtest.h>

#include <tasuki/rank_thread.hpp>
#include <tasuki/tasuki.hpp>

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

}  // namespace
}  // namespace tasuki::test
