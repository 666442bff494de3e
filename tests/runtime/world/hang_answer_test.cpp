#include "runtime/world/hang_answer.hpp"

#include <tasuki/detail/fiber/wait_reason.hpp>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using HangAnswerTest = RankTest;
using runtime::explain_hang;
using runtime::HangAnswer;
using runtime::WaitingFiber;

constexpr auto reply = static_cast<std::uint8_t>(fiber::WaitKind::reply);
constexpr auto sync_read = static_cast<std::uint8_t>(fiber::WaitKind::sync_read);

HangAnswer answer(int rank, std::vector<WaitingFiber> fibers) {
  HangAnswer made;
  made.rank = rank;
  made.fibers = std::move(fibers);
  return made;
}

TEST_F(HangAnswerTest, a_chain_of_calls_is_followed_to_its_end) {
  const std::string text = explain_hang(
      {answer(0, {{0, -1, 0, reply, 1, 7, "main", "the result of f on rank 1"}}),
       answer(1,
              {{1, 0, 7, sync_read, -1, 0, "f called by rank 0", "a value in the Sync at 0x1"}})},
      2);
  EXPECT_TRUE(contains(text, "what waits for what:\n  rank 0: main waits for the result of f"))
      << text;
  EXPECT_TRUE(contains(text, "  rank 1: f called by rank 0 waits for a value in the Sync")) << text;
}

TEST_F(HangAnswerTest, a_cycle_is_called_one) {
  const std::string text =
      explain_hang({answer(0, {{0, -1, 0, reply, 1, 7, "main", "f"},
                               {0, 1, 9, reply, 1, 7, "g called by rank 1", "f"}}),
                    answer(1, {{1, 0, 7, reply, 0, 9, "f called by rank 0", "g"}})},
                   2);
  EXPECT_TRUE(contains(text, "these calls wait for each other")) << text;
}

TEST_F(HangAnswerTest, calls_that_nobody_waits_for_are_named) {
  const std::string text = explain_hang(
      {answer(0, {}), answer(1, {{1, 0, 7, sync_read, -1, 0, "f called by rank 0", "a Sync"},
                                 {1, 0, 8, sync_read, -1, 0, "g called by rank 0", "a Sync"}})},
      2);
  EXPECT_EQ(text,
            "what waits for what:\n"
            "  rank 1: f called by rank 0 waits for a Sync\n"
            "  rank 1: g called by rank 0 waits for a Sync\n");
}

TEST_F(HangAnswerTest, everything_is_told_once) {
  const std::string text =
      explain_hang({answer(0, {{0, -1, 0, reply, 1, 7, "main", "f"}}),
                    answer(1, {{1, 0, 7, reply, 2, 3, "f called by rank 0", "g"},
                               {1, -1, 0, reply, 2, 3, "main", "g"}}),
                    answer(2, {{2, 1, 3, reply, 2, 4, "g called by rank 1", "h"},
                               {2, 2, 4, reply, 2, 5, "h called by rank 2", "i"},
                               {2, 2, 5, reply, 2, 4, "i called by rank 2", "h"}})},
                   3);
  EXPECT_EQ(text,
            "these calls wait for each other:\n"
            "  rank 0: main waits for f\n"
            "  rank 1: f called by rank 0 waits for g\n"
            "  rank 2: g called by rank 1 waits for h\n"
            "  rank 2: h called by rank 2 waits for i\n"
            "  rank 2: i called by rank 2 waits for h\n"
            "what waits for what:\n"
            "  rank 1: main waits for g\n");
}

TEST_F(HangAnswerTest, ranks_without_an_answer_are_named) {
  const std::string text = explain_hang({answer(0, {})}, 3);
  EXPECT_TRUE(contains(text, "rank 1 does not answer")) << text;
  EXPECT_TRUE(contains(text, "rank 2 does not answer")) << text;
  EXPECT_EQ(explain_hang({answer(0, {})}, 1), "no fiber waits\n");
}

}  // namespace
}  // namespace tasuki::test
