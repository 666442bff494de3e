#include "npb/is/exchanged.hpp"

#include <gtest/gtest.h>

namespace tasuki::npb::is {
namespace {

Exchanged cheaper(ProblemClass problem_class, int ranks) {
  return choose(Exchanged::cheaper, problem_of(problem_class), ranks);
}

TEST(Exchanged, CountsWhereTheyAreFewerThanKeysAndFitTheCache) {
  EXPECT_EQ(cheaper(ProblemClass::a, 2), Exchanged::counts);
  EXPECT_EQ(cheaper(ProblemClass::a, 16), Exchanged::counts);
  EXPECT_EQ(cheaper(ProblemClass::a, 17), Exchanged::keys);
  EXPECT_EQ(cheaper(ProblemClass::c, 1), Exchanged::keys);
}

TEST(Exchanged, WhatIsAskedForIsDone) {
  const Problem problem = problem_of(ProblemClass::a);
  EXPECT_EQ(choose(Exchanged::keys, problem, 2), Exchanged::keys);
  EXPECT_EQ(choose(Exchanged::counts, problem_of(ProblemClass::c), 2), Exchanged::counts);
}

}  // namespace
}  // namespace tasuki::npb::is
