#include "rpc/server/lease_limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tasuki::rpc {
namespace {

User user(const UserLimits& limits) { return {"ann", "", limits}; }

TEST(LeaseLimitsTest, TheLeastOfModuleAndUserHolds) {
  const ModuleLimits module{.call_most_s = 5, .call_most_bytes = 100};
  for (const double of_user_s : {3.0, 7.0}) {
    const User ann = user({.call_time_s = of_user_s});
    EXPECT_EQ(watch_limits(module, ann, false).call_most_s, std::min(of_user_s, 5.0));
  }
  EXPECT_EQ(call_most_bytes(module, user({.call_memory_bytes = 80})), 80);
  EXPECT_EQ(call_most_bytes(module, user({.call_memory_bytes = 120})), 100);
}

TEST(LeaseLimitsTest, WhatNobodyLimitsHasNoLimit) {
  const User ann = user({});
  EXPECT_FALSE(watch_limits({}, ann, false).call_most_s);
  EXPECT_EQ(watch_limits({}, user({.call_time_s = 2}), false).call_most_s, 2);
  EXPECT_EQ(call_most_bytes({}, ann), no_call_limit);
}

TEST(LeaseLimitsTest, TheFrontEndWatchesItsOwnClients) {
  const ModuleLimits module{.client_most_s = 60};
  EXPECT_EQ(watch_limits(module, user({}), false).client_most_s, 60);
  EXPECT_FALSE(watch_limits(module, user({}), true).client_most_s);
}

}  // namespace
}  // namespace tasuki::rpc
