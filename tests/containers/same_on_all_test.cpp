#include "containers/same_on_all.hpp"

#include <string>

#include "support/rank_test.hpp"

namespace tasuki::containers {
namespace {

using test::contains;
using test::error_of;
using SameOnAllTest = test::RankTest;

TEST_F(SameOnAllTest, what_all_ranks_say_is_no_error) {
  require_same_on_all("one thing", "making it", "make it anew", world_team());
}

TEST_F(SameOnAllTest, all_ranks_are_told_of_the_first_that_differs) {
  if (size() == 1) return;
  const std::string mine = rank() == 0 ? "one thing" : "another";
  const std::string text =
      error_of([&] { require_same_on_all(mine, "making it", "make it anew", world_team()); });
  EXPECT_TRUE(contains(text, "making it: it has one thing on rank 0 of the team, but another on"))
      << text;
  EXPECT_TRUE(contains(text, "on rank 1. Remedy: make it anew")) << text;
}

}  // namespace
}  // namespace tasuki::containers
