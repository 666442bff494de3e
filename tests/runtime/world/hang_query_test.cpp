// Which answers count, and who is asked when two fibers ask. What the answers say:
// hang_answer_test.cpp.
#include "runtime/world/hang_query.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "runtime/calls/dispatcher.hpp"
#include "runtime/calls/service_record.hpp"
#include "support/thread_job.hpp"

namespace tasuki::test {
namespace {

using runtime::HangAnswer;
using runtime::HangQuery;
using runtime::Rank;
using runtime::Reader;

/// What has come to the rank of this thread.
thread_local std::vector<std::uint32_t> questions;
thread_local std::vector<bool> taken_as_last;
/// The query of rank 0.
thread_local HangQuery* query = nullptr;

/// Answers nothing.
void note_question(Rank& self, int, Reader& reader) {
  self.dispatcher->forget_record();
  questions.push_back(reader.read<std::uint32_t>());
  runtime::service_record_done(self);
}

void take_answer(Rank&, int, Reader& reader) { taken_as_last.push_back(query->take(reader)); }

void wait_until(bool (*ready)()) {
  while (!ready()) yield();
}

void answer(std::uint32_t question) {
  runtime::send_service_record(Rank::current(), 0, &take_answer, question, HangAnswer{});
}

TEST(HangQueryTest, AnAnswerToAnEarlierQuestionIsNotOneToThePresent) {
  run_threads(1, [] {
    Rank& self = Rank::current();
    HangQuery asked(self, *self.quiescence);
    query = &asked;
    asked.open(&note_question);
    EXPECT_TRUE(asked.close().empty()) << "nobody has answered";
    asked.open(&note_question);
    wait_until([] { return questions.size() == 2; });
    answer(questions[0]);
    wait_until([] { return taken_as_last.size() == 1; });
    EXPECT_FALSE(taken_as_last[0]);
    answer(questions[1]);
    wait_until([] { return taken_as_last.size() == 2; });
    EXPECT_TRUE(taken_as_last[1]);
    EXPECT_EQ(asked.close().size(), 1U);
  });
}

TEST(HangQueryTest, WhoeverAsksAnewWhileAnotherWaitsForRoomAsksInItsPlace) {
  run_threads(2, [] {
    barrier();
    if (rank() == 0) {
      Rank& self = Rank::current();
      HangQuery asked(self, *self.quiescence);
      query = &asked;
      const auto ask_anew = [] {
        yield();  // only a fiber of its own may wait for room
        query->close();
        query->open(&note_question);
      };
      Future<void> first = ainvoke(0, ask_anew);
      Future<void> second = ainvoke(0, ask_anew);
      flush();
      refuse_messages(true);
      for (int polls = 0; polls < 100; ++polls) yield();
      EXPECT_TRUE(asked.is_open());
      EXPECT_FALSE(first.ready() || second.ready());
      refuse_messages(false);
      first.get();
      second.get();
      // This call comes behind all questions to that rank.
      EXPECT_EQ(invoke(1, [] { return questions; }), std::vector<std::uint32_t>{2});
      wait_until([] { return questions.size() == 2; });
    }
    barrier();
  });
}

}  // namespace
}  // namespace tasuki::test
