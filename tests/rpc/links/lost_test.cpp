#include "rpc/links/lost.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

const json results = {{"message", "results"}};
const json refusal = {{"message", "refused"},
                      {"kind", "lost-array"},
                      {"operation", "find an array"},
                      {"happened", "it is not there"},
                      {"remedy", "put it again"}};

TEST(LostTest, ResultsAreNotRefused) {
  EXPECT_NO_THROW(check_not_refused({}));
  EXPECT_NO_THROW(check_not_refused({results, results}));
}

TEST(LostTest, WhatOneRankSaysReachesTheCaller) {
  try {
    check_not_refused({results, refusal});
    FAIL() << "no rank has refused the call";
  } catch (const Lost& lost) {
    EXPECT_EQ(lost.kind(), "lost-array");
    EXPECT_EQ(lost.operation(), "find an array");
    EXPECT_EQ(lost.happened(), "it is not there");
    EXPECT_EQ(lost.remedy(), "put it again");
  }
}

TEST(LostTest, ARefusalWithoutAReasonIsMalformed) {
  json without_a_reason = refusal;
  without_a_reason.erase("happened");
  try {
    check_not_refused({without_a_reason});
    FAIL() << "a field is missing";
  } catch (const error& fault) {
    EXPECT_EQ(dynamic_cast<const Lost*>(&fault), nullptr);
    EXPECT_NE(std::string(fault.happened()).find("its field happened"), std::string::npos);
  }
}

}  // namespace
}  // namespace tasuki::rpc
