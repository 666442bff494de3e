// The stress test with ranks that are threads, so that the thread sanitizer sees what they do to
// each other.
#include <gtest/gtest.h>

#include "runtime/stress/rank_state.hpp"
#include "runtime/stress/rounds.hpp"
#include "support/thread_job.hpp"

namespace tasuki::test::stress {
namespace {

TEST(StressTest, RanksThatAreThreadsDoWhatTheModelDoes) {
  constexpr std::uint64_t seeds_count = 10;
  for (const int ranks_count : {2, 3}) {
    make_room_for_states();
    run_threads(ranks_count, [] {
      for (std::uint64_t seed = 1; seed <= seeds_count; ++seed) run_round(seed);
      run_last_round(seeds_count + 1);
    });
    EXPECT_TRUE(check_after_the_end());
    EXPECT_FALSE(has_failed());
    states_here().clear();
  }
}

}  // namespace
}  // namespace tasuki::test::stress
