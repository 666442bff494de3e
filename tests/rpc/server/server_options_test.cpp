#include "rpc/server/server_options.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

json options() {
  return json::parse(R"({
    "log_file": "log", "tls_certificate_file": "c", "tls_key_file": "k", "queue_most": 5,
    "call_most_s": 2.5, "client_most_s": 7, "rank_most_s": 8, "call_most_bytes": 1000,
    "connections_most": 9, "idle_most_s": 4, "keep_most_s": 3, "pools_count": 2,
    "drain_most_s": 1.5, "staged_most_bytes": 2000, "browsers_most": 6,
    "users": [{"name": "ann", "token_sha256": "digest", "calls_at_once": 2}]
  })");
}

TEST(ServerOptionsTest, AreThoseThatAreGiven) {
  const ServerOptions made = server_options_from(options());
  EXPECT_EQ(made.log_file, "log");
  EXPECT_EQ(made.tls_certificate_file, "c");
  EXPECT_EQ(made.tls_key_file, "k");
  EXPECT_EQ(made.limits.queue_most, 5U);
  EXPECT_EQ(made.limits.call_most_s, 2.5);
  EXPECT_EQ(made.limits.client_most_s, 7);
  EXPECT_EQ(made.limits.rank_most_s, 8);
  EXPECT_EQ(made.limits.call_most_bytes, 1000);
  EXPECT_EQ(made.limits.idle_most_s, 4);
  EXPECT_EQ(made.limits.keep_most_s, 3);
  EXPECT_EQ(made.connections_most, 9);
  EXPECT_EQ(made.staged_most_bytes, 2000);
  EXPECT_EQ(made.browsers_most, 6);
  EXPECT_EQ(made.pools_count, 2);
  EXPECT_EQ(made.drain_most_s, 1.5);
  ASSERT_EQ(made.users.size(), 1U);
  EXPECT_EQ(made.users[0].name, "ann");
  EXPECT_EQ(made.users[0].limits.calls_at_once, 2);
}

TEST(ServerOptionsTest, WhatIsNullHasNoLimit) {
  json without = options();
  for (const char* name : {"call_most_s", "call_most_bytes", "staged_most_bytes", "idle_most_s",
                           "keep_most_s", "drain_most_s"}) {
    without[name] = nullptr;
  }
  const ServerOptions made = server_options_from(without);
  EXPECT_FALSE(made.limits.call_most_s);
  EXPECT_EQ(made.limits.call_most_bytes, no_call_limit);
  EXPECT_EQ(made.staged_most_bytes, INT64_MAX);
  EXPECT_FALSE(made.limits.idle_most_s);
  EXPECT_FALSE(made.limits.keep_most_s);
  EXPECT_FALSE(made.drain_most_s);
}

TEST(ServerOptionsTest, AFieldThatIsMissingOrOfAnotherTypeIsAnError) {
  const json whole = options();
  for (const auto& [name, value] : whole.items()) {
    json broken = whole;
    broken.erase(name);
    EXPECT_THROW(server_options_from(broken), json::exception) << name;
  }
  for (const char* name : {"log_file", "queue_most", "call_most_s", "pools_count"}) {
    json broken = whole;
    broken[name] = json::object();
    EXPECT_THROW(server_options_from(broken), json::exception) << name;
  }
}

}  // namespace
}  // namespace tasuki::rpc
