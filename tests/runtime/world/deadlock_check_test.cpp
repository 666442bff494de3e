// When idle ranks count as stuck. Whole jobs that are stuck, or only look so: faults.cpp,
// no_faults.cpp.
#include "runtime/world/deadlock_check.hpp"

#include <cstdint>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using DeadlockCheckTest = RankTest;
using runtime::HangAnswer;
using runtime::Standstill;

constexpr std::int64_t second_ns = 1'000'000'000;

/// Two idle ranks that wait.
std::vector<HangAnswer> idle_ranks() {
  std::vector<HangAnswer> answers(2);
  for (std::size_t rank = 0; rank < answers.size(); ++rank) {
    answers[rank].rank = static_cast<std::int32_t>(rank);
    answers[rank].unfinished_requests.rank = answers[rank].rank;
    answers[rank].idle = true;
    answers[rank].has_waiting = true;
  }
  return answers;
}

TEST_F(DeadlockCheckTest, three_equal_answers_more_than_a_second_apart_are_a_deadlock) {
  Standstill standstill;
  EXPECT_FALSE(standstill.is_final(idle_ranks(), 1 * second_ns));
  EXPECT_FALSE(standstill.is_final(idle_ranks(), 2 * second_ns));
  EXPECT_TRUE(standstill.is_final(idle_ranks(), 3 * second_ns));
}

TEST_F(DeadlockCheckTest, messages_have_a_second_to_arrive) {
  Standstill standstill;
  for (int query = 0; query < 10; ++query) {
    EXPECT_FALSE(standstill.is_final(idle_ranks(), second_ns + query));
  }
  EXPECT_TRUE(standstill.is_final(idle_ranks(), 2 * second_ns));
}

TEST_F(DeadlockCheckTest, whatever_happens_in_between_begins_it_anew) {
  Standstill standstill;
  std::vector<HangAnswer> answers = idle_ranks();
  for (std::int64_t query = 1; query < 20; ++query) {
    if (query % 2 == 0) ++answers[1].activity;
    EXPECT_FALSE(standstill.is_final(answers, query * second_ns));
  }
  answers[0].idle = false;
  EXPECT_FALSE(standstill.is_final(answers, 20 * second_ns));
}

TEST_F(DeadlockCheckTest, ranks_of_which_none_waits_end_by_themselves) {
  Standstill standstill;
  std::vector<HangAnswer> answers = idle_ranks();
  for (HangAnswer& answer : answers) answer.has_waiting = false;
  for (std::int64_t query = 1; query < 20; ++query) {
    EXPECT_FALSE(standstill.is_final(answers, query * second_ns));
  }
  answers[1].has_waiting = true;
  EXPECT_TRUE(standstill.is_final(answers, 20 * second_ns));
}

TEST_F(DeadlockCheckTest, a_collective_of_the_mpi_library_that_all_have_begun_ends_by_itself) {
  Standstill standstill;
  std::vector<HangAnswer> answers = idle_ranks();
  for (HangAnswer& answer : answers) {
    answer.unfinished_requests.collectives_begun_count = 1;
    answer.unfinished_requests.listed = {
        {runtime::UnfinishedRequest::Kind::collective, -1, 0, 1'000'000}};
  }
  for (std::int64_t query = 1; query < 20; ++query) {
    EXPECT_FALSE(standstill.is_final(answers, query * 1000 * second_ns));
  }
}

}  // namespace
}  // namespace tasuki::test
