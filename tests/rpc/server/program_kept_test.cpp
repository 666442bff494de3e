#include "rpc/server/program_kept.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// A name like those that clients make.
std::string name_of(int number) { return "array" + std::to_string(number); }

class ProgramKeptTest : public testing::Test {
 protected:
  /// The ranks tell of an array that the client has left.
  void leave(ProgramKept& program, const std::string& name, std::int64_t bytes = 8) {
    const json one = {
        {"name", name}, {"is_object", false}, {"bytes", bytes}, {"about", json::object()}};
    program.take(origin, {{"kept", json::array({one})}});
  }

  const User without_quota{"ann"};
  const User with_quota{"ann", "", {.kept_memory_bytes = 100}};
  CallOrigin origin = [] {
    CallOrigin made{"m"};
    made.user = "ann";
    made.client = 7;
    return made;
  }();
  KeptTable table;
  ProgramKept kept{"p", {}, table};
};

TEST_F(ProgramKeptTest, OnlyAUserWithAQuotaHasOne) {
  EXPECT_FALSE(ProgramKept::quota_of(without_quota));
  const auto quota = ProgramKept::quota_of(with_quota);
  ASSERT_TRUE(quota);
  EXPECT_EQ(quota->user, "ann");
  EXPECT_EQ(quota->most_bytes, 100);
}

TEST_F(ProgramKeptTest, RoomIsGrantedWithinTheQuota) {
  leave(kept, "a", 60);
  json question = {{"message", "reserve"}, {"lease", 3}, {"call", 4}, {"name", "b"}, {"bytes", 41}};
  EXPECT_EQ(kept.room(with_quota, origin, question), json({{"message", "room"},
                                                           {"lease", 3},
                                                           {"call", 4},
                                                           {"is_granted", false},
                                                           {"used_bytes", 60}}));
  question["bytes"] = 40;
  EXPECT_TRUE(kept.room(with_quota, origin, question).at("is_granted"));
  EXPECT_EQ(table.bytes_of("ann"), 100);
}

TEST_F(ProgramKeptTest, ARankThatNobodyHasToldToAskIsRefused) {
  const json question = {
      {"message", "reserve"}, {"lease", 3}, {"call", 4}, {"name", "b"}, {"bytes", 8}};
  EXPECT_THROW(kept.room(without_quota, origin, question), error);
  EXPECT_THROW(kept.room(with_quota, origin, {{"message", "reserve"}}), error);
  EXPECT_EQ(table.bytes_of("ann"), 0);
}

TEST_F(ProgramKeptTest, RanksHearOnceWhatIsGivenUpAndWhy) {
  leave(kept, "a");
  leave(kept, "b");
  EXPECT_FALSE(kept.has_unwanted());
  kept.give_up("a", "its user has freed it");
  EXPECT_TRUE(kept.is_given_up("a") && !kept.is_given_up("b"));
  EXPECT_TRUE(kept.has_unwanted());
  EXPECT_EQ(
      kept.take_discards(),
      std::vector<json>(
          {{{"message", "discard"}, {"names", {"a"}}, {"happened", "its user has freed it"}}}));
  EXPECT_FALSE(kept.has_unwanted() || kept.is_given_up("a"));
  EXPECT_TRUE(kept.take_discards().empty());
  EXPECT_EQ(table.bytes_of("ann"), 8);
}

TEST_F(ProgramKeptTest, RanksDoNotHearOfWhatHasGoneMeanwhile) {
  leave(kept, "a");
  leave(kept, "b");
  kept.give_up("a", "its user has freed it");
  kept.take(origin, {{"freed", {"a"}}});
  EXPECT_TRUE(kept.take_discards().empty());
  kept.give_up("b", "its user has freed it");
  kept.forget_client(origin.client);
  EXPECT_TRUE(kept.take_discards().empty());
}

TEST_F(ProgramKeptTest, WhatNobodyUsesExpiresInItsProgramAlone) {
  // After no time at all everything has expired.
  ProgramKept brief("q", 0.0, table);
  leave(kept, "a");
  EXPECT_FALSE(brief.has_unwanted());
  leave(brief, "b");
  EXPECT_TRUE(brief.has_unwanted());
  EXPECT_FALSE(kept.has_unwanted());
  const std::vector<json> discards = brief.take_discards();
  ASSERT_EQ(discards.size(), 1U);
  EXPECT_EQ(discards[0].at("names"), json({"b"}));
  EXPECT_NE(discards[0].at("happened").get<std::string>().find("--keep-time"), std::string::npos);
  EXPECT_FALSE(brief.has_unwanted());
  EXPECT_EQ(table.bytes_of("ann"), 8);
}

TEST_F(ProgramKeptTest, ManyNamesAreSaidInSeveralMessages) {
  constexpr int names_count = 25'000;
  constexpr std::size_t names_most = 10'000;
  ProgramKept brief("q", 0.0, table);
  for (int i = 0; i < names_count; ++i) leave(brief, name_of(i));
  const std::vector<json> discards = brief.take_discards();
  EXPECT_EQ(discards.size(), 3U);
  std::set<std::string> names;
  for (const json& one : discards) {
    EXPECT_LE(one.at("names").size(), names_most);
    names.insert(one.at("names").begin(), one.at("names").end());
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(names_count));
  EXPECT_EQ(table.bytes_of("ann"), 0);
}

TEST_F(ProgramKeptTest, AProgramThatEndsLeavesNothing) {
  ProgramKept other("q", {}, table);
  leave(kept, "a");
  leave(other, "b", 16);
  kept.forget_all();
  EXPECT_EQ(table.bytes_of("ann"), 16);
}

}  // namespace
}  // namespace tasuki::rpc
