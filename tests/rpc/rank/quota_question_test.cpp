#include "rpc/rank/quota_question.hpp"

#include <gtest/gtest.h>

#include <future>

#include "rpc/rank/played_rank.hpp"
#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// A client of ann's, whose first call leaves "a" on the ranks.
class QuotaQuestionTest : public PlayedRank {
 protected:
  QuotaQuestionTest() {
    send_frame(front_end_, {{"message", "lease"},
                            {"lease", 7},
                            {"ticket", "t"},
                            {"client", 1},
                            {"user", "ann"},
                            {"call_most_bytes", 1000},
                            {"client_most_s", 60},
                            {"gone_clients", json::array()}});
    EXPECT_TRUE(link_.next_lease([](const DiscardOrder&) {}, listener_));
    reporter_.begin_lease(7);
    reporter_.begin({"keep", "twice", "a"}, client_);
  }
  ~QuotaQuestionTest() override { reporter_.end(CallState::done); }

  std::optional<Lost> ask(int rank, Socket::Seconds limit = patience) {
    return QuotaQuestion(rank, {"ann", 100}, limit, reporter_, link_)("put an array", "a", 80);
  }
  void answer(bool is_granted, std::int64_t used_bytes) {
    send_frame(front_end_, {{"message", "room"},
                            {"lease", 7},
                            {"call", 1},
                            {"is_granted", is_granted},
                            {"used_bytes", used_bytes}});
  }
};

TEST_F(QuotaQuestionTest, Rank0AsksAfterItHasToldWhatWasFreed) {
  reporter_.end(CallState::done);
  reporter_.begin({"free", "", "b"}, client_);
  reporter_.tell_freed("b");
  reporter_.end(CallState::done);
  reporter_.begin({"keep", "twice", "a"}, client_);
  auto asking = std::async(std::launch::async, [this] { return ask(0); });
  json told = receive_frame(front_end_);
  while (told.at("message") == "calls" && !told.contains("freed")) told = receive_frame(front_end_);
  EXPECT_TRUE(told.contains("freed")) << told;
  const json asked = this->told("reserve");
  EXPECT_EQ(
      asked,
      json({{"message", "reserve"}, {"lease", 7}, {"call", 3}, {"name", "a"}, {"bytes", 80}}));
  send_frame(
      front_end_,
      {{"message", "room"}, {"lease", 7}, {"call", 3}, {"is_granted", true}, {"used_bytes", 0}});
  EXPECT_FALSE(asking.get());
}

TEST_F(QuotaQuestionTest, OtherRanksAreToldWhatRank0HasAskedFor) {
  answer(false, 30);
  const std::optional<Lost> refusal = ask(1);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->kind(), quota_kind);
  EXPECT_EQ(refusal->happened(),
            "it has 80 bytes, and of the quota kept_memory_bytes = 100 of user ann 30 are used");
}

TEST_F(QuotaQuestionTest, AFrontEndThatSaysNothingIsAnError) {
  EXPECT_THROW(ask(1, Socket::Seconds(0)), error);
}

}  // namespace
}  // namespace tasuki::rpc
