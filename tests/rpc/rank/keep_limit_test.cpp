#include "rpc/rank/keep_limit.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tasuki::rpc {
namespace {

const std::string name = "a";

KeepLimit::Wish wish(std::int64_t bytes) { return {"put an array", "array", "it", name, bytes}; }

TEST(KeepLimitTest, WhatIsWrongFirstIsTheRefusal) {
  KeepLimit limit(100);
  int asked_count = 0;
  limit.count_for([&](const std::string& operation, const std::string& asked, std::int64_t) {
    ++asked_count;
    return Lost("quota", operation, asked, "");
  });
  limit.use(60);
  KeepLimit::Wish all = wish(41);
  all.is_name_taken = true;
  all.of_client_count = KeepLimit::of_client_most;
  const auto happened = [&] { return limit.refusal(all).value().happened(); };
  EXPECT_EQ(happened(), "there is one of this name already");
  all.is_name_taken = false;
  EXPECT_EQ(happened(), "the client has 1000 arrays already");
  EXPECT_EQ(limit.refusal(all).value().kind(), "quota");
  all.of_client_count = 0;
  EXPECT_EQ(happened(), "it has 41 bytes, and of the 100 that the ranks keep 60 are used");
  EXPECT_EQ(limit.refusal(all).value().kind(), "quota");
  EXPECT_EQ(asked_count, 0);  // The front end would count what is not kept.
  all.bytes = 40;
  EXPECT_EQ(limit.refusal(all).value().kind(), "quota");
  EXPECT_EQ(asked_count, 1);
  limit.count_for({});
  EXPECT_FALSE(limit.refusal(all));
  limit.give_back(60);
  EXPECT_FALSE(limit.refusal(wish(100)));
  EXPECT_TRUE(limit.refusal(wish(101)));
}

}  // namespace
}  // namespace tasuki::rpc
