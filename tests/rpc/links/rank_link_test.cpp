#include "rpc/links/rank_link.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tasuki/error.hpp>

#include "rpc/links/failed_call.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// What the client gets when the rank answers so.
json answered(const json& answer) {
  auto [near, far] = connected();
  send_frame(far, answer);
  RankLink link(0, std::move(near));
  return link.receive({});
}

std::string happened(const json& answer) {
  try {
    answered(answer);
  } catch (const error& fault) {
    return fault.happened();
  }
  return "";
}

TEST(RankLinkTest, ResultsHaveTheSecondsOfSendingThem) {
  const json answer = answered({{"message", "results"}, {"seconds", {{"compute", 2.0}}}});
  EXPECT_EQ(answer["seconds"]["compute"], 2.0);
  EXPECT_GE(answer["seconds"]["send"], 0.0);
}

TEST(RankLinkTest, ARefusalIsAnAnswerAndAFailureAnError) {
  const json refused = {{"message", "refused"}, {"kind", "lost_array"}};
  EXPECT_EQ(answered(refused), refused);
  EXPECT_THROW(
      answered({{"message", "failed"}, {"happened", "no columns"}, {"remedy", "give some"}}),
      FailedCall);
}

TEST(RankLinkTest, WhatIsNoAnswerIsAnError) {
  EXPECT_EQ(happened({{"message", "welcome"}}), "its field message is missing or of another type");
  EXPECT_EQ(happened(json::object()), "its field message is missing or of another type");
  for (const json& seconds : {json(1.5), json("1"), json(nullptr), json::array()}) {
    EXPECT_EQ(happened({{"message", "results"}, {"seconds", seconds}}),
              "its field seconds is missing or of another type");
  }
  EXPECT_EQ(happened({{"message", "results"}}), "its field seconds is missing or of another type");
}

}  // namespace
}  // namespace tasuki::rpc
