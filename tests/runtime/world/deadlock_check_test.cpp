// When idle ranks count as stuck. Whole jobs that are stuck, or only look so: faults.cpp,
// no_faults.cpp.
#include "runtime/world/deadlock_check.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <tasuki/detail/base/clock.hpp>
#include <vector>

#include "support/thread_job.hpp"

namespace tasuki::test {
namespace {

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

TEST(DeadlockCheckTest, ThreeEqualAnswersMoreThanASecondApartAreADeadlock) {
  Standstill standstill;
  EXPECT_FALSE(standstill.is_final(idle_ranks(), 0, 1 * second_ns));
  EXPECT_FALSE(standstill.is_final(idle_ranks(), 0, 2 * second_ns));
  EXPECT_TRUE(standstill.is_final(idle_ranks(), 0, 3 * second_ns));
}

TEST(DeadlockCheckTest, MessagesHaveASecondToArrive) {
  Standstill standstill;
  for (int query = 0; query < 10; ++query) {
    EXPECT_FALSE(standstill.is_final(idle_ranks(), 0, second_ns + query));
  }
  EXPECT_TRUE(standstill.is_final(idle_ranks(), 0, 2 * second_ns));
}

TEST(DeadlockCheckTest, WhateverHappensInBetweenBeginsItAnew) {
  Standstill standstill;
  std::vector<HangAnswer> answers = idle_ranks();
  for (std::int64_t query = 1; query < 20; ++query) {
    if (query % 2 == 0) ++answers[1].activity;
    EXPECT_FALSE(standstill.is_final(answers, 0, query * second_ns));
  }
  answers[0].idle = false;
  EXPECT_FALSE(standstill.is_final(answers, 0, 20 * second_ns));
}

TEST(DeadlockCheckTest, AnswersOfVeryDifferentTimesAreNotJudged) {
  Standstill standstill;
  EXPECT_FALSE(standstill.is_final(idle_ranks(), 0, 1 * second_ns));
  EXPECT_FALSE(standstill.is_final(idle_ranks(), 0, 2 * second_ns));
  EXPECT_FALSE(standstill.is_final(idle_ranks(), 21 * second_ns, 23 * second_ns));
  EXPECT_TRUE(standstill.is_final(idle_ranks(), 0, 24 * second_ns));
}

TEST(DeadlockCheckTest, RanksOfWhichNoneWaitsEndByThemselves) {
  Standstill standstill;
  std::vector<HangAnswer> answers = idle_ranks();
  for (HangAnswer& answer : answers) answer.has_waiting = false;
  for (std::int64_t query = 1; query < 20; ++query) {
    EXPECT_FALSE(standstill.is_final(answers, 0, query * second_ns));
  }
  answers[1].has_waiting = true;
  EXPECT_TRUE(standstill.is_final(answers, 0, 20 * second_ns));
}

TEST(DeadlockCheckTest, ACollectiveOfTheMpiLibraryThatAllHaveBegunEndsByItself) {
  Standstill standstill;
  std::vector<HangAnswer> answers = idle_ranks();
  for (HangAnswer& answer : answers) {
    answer.unfinished_requests.collectives_begun_count = 1;
    answer.unfinished_requests.listed = {
        {runtime::UnfinishedRequest::Kind::collective, -1, 0, 1'000'000}};
  }
  for (std::int64_t query = 1; query < 20; ++query) {
    EXPECT_FALSE(standstill.is_final(answers, 0, query * 1000 * second_ns));
  }
}

/// Rank 0 does not let its poller run meanwhile, so nobody answers.
TEST(DeadlockCheckTest, RanksThatDoNotAnswerForLongAreAskedAnew) {
  run_threads(1, [] {
    const runtime::Rank& self = runtime::Rank::current();
    const std::int64_t start_ns = base::now_ns();
    const std::uint64_t begun_count = self.traffic.service_records.begun;
    const auto questions_until = [&](int seconds) {
      self.deadlock_check->on_idle(second_ns, start_ns + seconds * second_ns);
      return self.traffic.service_records.begun - begun_count;
    };
    EXPECT_EQ(questions_until(2), 1U);
    EXPECT_EQ(questions_until(10), 1U) << "the question is open";
    EXPECT_EQ(questions_until(30), 2U);
  });
}

}  // namespace
}  // namespace tasuki::test
