#include "rpc/rank/keep_limit.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tasuki::rpc {
namespace {

TEST(KeepLimitTest, ThereIsRoomForWhatIsLeft) {
  KeepLimit limit(100);
  EXPECT_TRUE(limit.has_room(100));
  EXPECT_FALSE(limit.has_room(101));
  limit.use(60);
  EXPECT_EQ(limit.used_bytes(), 60);
  EXPECT_TRUE(limit.has_room(40));
  EXPECT_FALSE(limit.has_room(41));
  limit.give_back(10);
  EXPECT_TRUE(limit.has_room(50));
  EXPECT_FALSE(limit.has_room(std::numeric_limits<std::int64_t>::max()));
}

TEST(KeepLimitTest, AUserHasNoMoreThanItsQuota) {
  KeepLimit limit(1000);
  EXPECT_FALSE(limit.is_over_quota(1000));
  limit.count_for(KeptQuota{"ann", 100, 30});  // The rest is on the ranks of other modules.
  EXPECT_FALSE(limit.is_over_quota(70));
  EXPECT_TRUE(limit.is_over_quota(71));
  EXPECT_FALSE(limit.has_room(71));
  limit.use(70);
  EXPECT_TRUE(limit.is_over_quota(1));
  limit.give_back(20);
  EXPECT_FALSE(limit.is_over_quota(20));
  EXPECT_EQ(limit.used_bytes(), 50);
}

TEST(KeepLimitTest, WhatOneUserUsesIsNotOfTheQuotaOfTheNext) {
  KeepLimit limit(1000);
  limit.count_for(KeptQuota{"ann", 100, 0});
  limit.use(100);
  limit.count_for(KeptQuota{"bob", 100, 0});
  EXPECT_TRUE(limit.has_room(100));
  limit.count_for({});
  EXPECT_TRUE(limit.has_room(900));
  EXPECT_FALSE(limit.has_room(901));  // What ann uses is there.
}

TEST(KeepLimitTest, TheErrorNamesTheQuotaAndWhatIsUsed) {
  KeepLimit limit(1000);
  limit.count_for(KeptQuota{"ann", 100, 30});
  try {
    limit.refuse_quota("keep an array", 80);
    FAIL();
  } catch (const Lost& fault) {
    EXPECT_EQ(fault.kind(), quota_kind);
    EXPECT_EQ(fault.operation(), "keep an array");
    EXPECT_EQ(fault.happened(),
              "it has 80 bytes, and of the quota kept_memory_bytes = 100 of user ann 30 are used");
    EXPECT_NE(fault.remedy(), "");
  }
}

}  // namespace
}  // namespace tasuki::rpc
