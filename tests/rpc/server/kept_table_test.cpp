#include "rpc/server/kept_table.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using std::chrono::seconds;

const KeptTable::Clock::time_point begin{seconds(1000)};

CallOrigin origin_of(const char* user, std::int64_t client) {
  CallOrigin origin{"linpack"};
  origin.user = user;
  origin.client_host = "host";
  origin.client = client;
  return origin;
}

json kept(const char* name, std::int64_t bytes, bool is_object = false,
          const json& about = json::object()) {
  return {
      {"kept", {{{"name", name}, {"is_object", is_object}, {"bytes", bytes}, {"about", about}}}}};
}

TEST(KeptTableTest, UsersSeeWhatTheyHaveLeftTheOldestFirst) {
  KeptTable table;
  table.take("p", origin_of("ann", 3), kept("b", 80, false, {{"argument", "A"}}), begin);
  table.take("q", origin_of("ann", 4), kept("a", 8, true), begin + seconds(2));
  table.take("q", origin_of("bob", 5), kept("c", 8), begin + seconds(2));
  table.take("p", origin_of("ann", 3), {{"used", {"b", "unknown"}}}, begin + seconds(3));
  const json described = table.list("ann", 10, begin + seconds(5));
  ASSERT_EQ(described.size(), 2U);
  EXPECT_EQ(described[0], json({{"module", "linpack"},
                                {"argument", "A"},
                                {"name", "b"},
                                {"kind", "array"},
                                {"bytes", 80},
                                {"user", "ann"},
                                {"client", {{"host", "host"}, {"number", 3}}},
                                {"seconds", {{"age", 5.0}, {"unused", 2.0}, {"left", 8.0}}},
                                {"is_being_freed", false}}));
  EXPECT_EQ(described[1]["kind"], "object");
  EXPECT_EQ(table.list("ann", 1, begin + seconds(5))[0]["seconds"]["left"], 0.0);
  EXPECT_EQ(table.list("ann", {}, begin + seconds(5))[0]["seconds"]["left"], nullptr);
  table.take("p", origin_of("ann", 3), {{"freed", {"b"}}}, begin + seconds(6));
  EXPECT_EQ(table.list("ann", {}, begin + seconds(6)).size(), 1U);
}

TEST(KeptTableTest, WhatIsFreedMakesRoomForAnotherOfItsName) {
  KeptTable table;
  table.take("p", origin_of("ann", 1), kept("a", 8), begin);
  json news = kept("a", 80);
  news["freed"] = {"a"};
  table.take("p", origin_of("ann", 1), news, begin);
  EXPECT_EQ(table.bytes_of("ann"), 80);
}

TEST(KeptTableTest, UsersGiveUpWhatIsTheirs) {
  KeptTable table;
  table.take("p", origin_of("ann", 1), kept("a", 8), begin);
  EXPECT_FALSE(table.give_up("bob", "a"));
  EXPECT_FALSE(table.give_up("ann", "b"));
  EXPECT_FALSE(table.list("ann", {})[0]["is_being_freed"]);
  const auto unwanted = table.give_up("ann", "a");
  ASSERT_TRUE(unwanted);
  EXPECT_EQ(unwanted->program, "p");
  EXPECT_EQ(unwanted->module, "linpack");
  EXPECT_FALSE(unwanted->was_unwanted);
  EXPECT_TRUE(table.list("ann", {})[0]["is_being_freed"]);
  EXPECT_TRUE(table.give_up("ann", "a")->was_unwanted);
  EXPECT_FALSE(table.remove("q", "a"));
  EXPECT_TRUE(table.remove("p", "a"));
  EXPECT_FALSE(table.remove("p", "a"));
  EXPECT_EQ(table.bytes_of("ann"), 0);
}

TEST(KeptTableTest, WhatNoCallUsesExpires) {
  KeptTable table;
  table.take("p", origin_of("", 1), kept("a", 8), begin);
  table.take("p", origin_of("", 1), kept("b", 8), begin);
  table.take("q", origin_of("", 1), kept("c", 8), begin);
  table.take("p", origin_of("", 1), {{"used", {"b"}}}, begin + seconds(8));
  EXPECT_FALSE(table.has_expired("p", seconds(10), begin + seconds(10)));
  EXPECT_TRUE(table.has_expired("p", seconds(10), begin + seconds(11)));
  EXPECT_FALSE(table.has_expired("r", seconds(10), begin + seconds(11)));
  EXPECT_EQ(table.take_expired("p", seconds(10), begin + seconds(11)),
            std::vector<std::string>{"a"});
  EXPECT_FALSE(table.has_expired("p", seconds(10), begin + seconds(11)));
  EXPECT_TRUE(table.has_expired("p", seconds(10), begin + seconds(19)));
}

TEST(KeptTableTest, BytesOfAUserAreOfAllProgramsAndClients) {
  KeptTable table;
  table.take("p", origin_of("ann", 1), kept("a", 1), begin);
  table.take("p", origin_of("ann", 2), kept("b", 10), begin);
  table.take("q", origin_of("ann", 3), kept("c", 100), begin);
  table.take("q", origin_of("bob", 4), kept("d", 1000), begin);
  EXPECT_EQ(table.bytes_of("ann"), 111);
  table.forget_client("p", 2);
  EXPECT_EQ(table.bytes_of("ann"), 101);
  table.forget_program("q");
  EXPECT_EQ(table.bytes_of("ann"), 1);
  EXPECT_EQ(table.bytes_of("bob"), 0);
}

TEST(KeptTableTest, WhatAUserIsAboutToLeaveCountsInOneQuotaForAllPrograms) {
  KeptTable table;
  const CallOrigin ann = origin_of("ann", 1);
  table.take("p", ann, kept("a", 50), begin);
  EXPECT_TRUE(table.reserve("p", ann, "b", 30, 100).is_granted);
  const KeptRoom other = table.reserve("q", origin_of("ann", 2), "c", 30, 100);
  EXPECT_FALSE(other.is_granted);
  EXPECT_EQ(other.used_bytes, 80);
  EXPECT_TRUE(table.reserve("q", ann, "c", 20, 100).is_granted);
  EXPECT_TRUE(table.reserve("q", origin_of("bob", 3), "e", 100, 100).is_granted);
  table.take("p", ann, kept("b", 30), begin);  // The ranks have told of it.
  EXPECT_EQ(table.bytes_of("ann"), 100);
  table.take("p", ann, {{"freed", {"a"}}}, begin);
  EXPECT_EQ(table.bytes_of("ann"), 50);
  table.take("q", origin_of("bob", 3), {{"freed", {"c"}}}, begin);  // It is ann's.
  EXPECT_EQ(table.bytes_of("ann"), 50);
  table.take("q", ann, {{"freed", {"c"}}}, begin);  // Before they have told that it was there.
  EXPECT_EQ(table.bytes_of("ann"), 30);
  EXPECT_TRUE(table.reserve("q", ann, "d", 70, 100).is_granted);
  table.forget_program("q");
  EXPECT_EQ(table.bytes_of("ann"), 30);
  EXPECT_EQ(table.list("ann", {}).size(), 1U);
}

TEST(KeptTableTest, MalformedMessagesAreRefused) {
  KeptTable table;
  EXPECT_THROW(table.take("p", origin_of("", 1), {{"kept", {{{"name", "a"}}}}}), error);
  EXPECT_THROW(table.take("p", origin_of("", 1), {{"used", 3}}), error);
}

}  // namespace
}  // namespace tasuki::rpc
