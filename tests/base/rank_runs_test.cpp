#include "base/rank_runs.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tasuki::base {
namespace {

std::string runs_of(const std::vector<int>& ranks) { return rank_runs(ranks); }

TEST(RankRuns, RanksThatFollowEachOtherAreOne) {
  EXPECT_EQ(runs_of({}), "");
  EXPECT_EQ(runs_of({7}), "7");
  EXPECT_EQ(runs_of({0, 1}), "0-1");
  EXPECT_EQ(runs_of({0, 1, 2, 5, 7, 8}), "0-2, 5, 7-8");
}

TEST(RankRuns, OnlySoManyAreNamed) {
  const std::vector<int> ranks = {0, 2, 3, 5};
  EXPECT_EQ(rank_runs(ranks, 3), "0, 2-3, 5");
  EXPECT_EQ(rank_runs(ranks, 2), "0, 2-3, ...");
}

}  // namespace
}  // namespace tasuki::base
