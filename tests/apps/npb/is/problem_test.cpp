#include "npb/is/problem.hpp"

#include <gtest/gtest.h>

namespace tasuki::npb::is {
namespace {

std::array<std::int64_t, test_count> expected_ranks(ProblemClass problem_class, int iteration) {
  std::array<std::int64_t, test_count> ranks{};
  for (std::size_t test = 0; test < test_count; ++test)
    ranks[test] = problem_of(problem_class).tests[test].expected_rank(iteration);
  return ranks;
}

using Ranks = std::array<std::int64_t, test_count>;

// The published ranks with the offsets of the iteration, worked out by hand.
TEST(Problem, RanksDriftFromIterationToIteration) {
  EXPECT_EQ(expected_ranks(ProblemClass::s, 3), (Ranks{3, 21, 349, 64914, 65460}));
  EXPECT_EQ(expected_ranks(ProblemClass::w, 3), (Ranks{1250, 11699, 1039984, 1043893, 1048015}));
  EXPECT_EQ(expected_ranks(ProblemClass::a, 3), (Ranks{106, 17525, 123930, 8288930, 8388262}));
  EXPECT_EQ(expected_ranks(ProblemClass::b, 3), (Ranks{33422934, 10247, 59152, 33135278, 102}));
  EXPECT_EQ(expected_ranks(ProblemClass::c, 3),
            (Ranks{61150, 882991, 266293, 133997592, 133525892}));
}

}  // namespace
}  // namespace tasuki::npb::is
