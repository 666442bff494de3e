#include "rpc/rank/call_texts.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "rpc/interface/parameters.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

TEST(CallTextsTest, SentTextsEndWithNul) {
  CallTexts all;
  char** const two = all.add(text_parameter("a", Mode::in), 2, {{"a", {"one", ""}}});
  char** const one = all.add("single");
  EXPECT_STREQ(two[0], "one");
  EXPECT_STREQ(two[1], "");
  EXPECT_EQ(two[2], nullptr);
  EXPECT_STREQ(*one, "single");
  EXPECT_EQ(all.results(), json::object());
}

TEST(CallTextsTest, WhatTheRoutineStoresComesBack) {
  CallTexts all;
  char** const out = all.add(text_parameter("o", Mode::out), 2, json::object());
  char** const both = all.add(text_parameter("b", Mode::inout), 3, {{"b", {"x", "y", "z"}}});
  EXPECT_EQ(out[0], nullptr);
  out[1] = strdup("made");  // Freed with the texts; the sanitizers would tell.
  both[0][0] = 'w';
  both[2] = strdup("new");
  EXPECT_EQ(all.results(), (json{{"o", {"", "made"}}, {"b", {"w", "y", "new"}}}));
}

}  // namespace
}  // namespace tasuki::rpc
