#include "rpc/server/turns.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tasuki::rpc {
namespace {

std::shared_ptr<const User> user(const char* name) {
  return std::make_shared<const User>(User{name});
}

TEST(TurnsTest, WhoHasAskedFirstIsNext) {
  Turns turns;
  turns.add(3, user("ann"));
  turns.add(7, user("bob"));
  EXPECT_TRUE(turns.is_next(3));
  EXPECT_FALSE(turns.is_next(7));
  EXPECT_FALSE(turns.remove(3));
  EXPECT_TRUE(turns.is_next(7));
  EXPECT_EQ(turns.size(), 1U);
  EXPECT_FALSE(turns.remove(7));
  EXPECT_TRUE(turns.empty());
}

TEST(TurnsTest, WhatWasSaidFirstOfACancelledTurnHolds) {
  Turns turns;
  turns.add(3, user("ann"));
  EXPECT_FALSE(turns.fault_of(3));
  EXPECT_FALSE(turns.cancel(4, {"call", "by bob", ""}));
  EXPECT_TRUE(turns.cancel(3, {"call", "by ann", ""}));
  EXPECT_TRUE(turns.cancel(3, {"call", "by bob", ""}));
  EXPECT_EQ(turns.fault_of(3).value().happened, "by ann");
  EXPECT_TRUE(turns.remove(3));
  EXPECT_FALSE(turns.fault_of(3));
  EXPECT_FALSE(turns.remove(3));
}

TEST(TurnsTest, TheTurnsOfAUserAreCancelled) {
  Turns turns;
  for (const std::int64_t lease : {1, 2}) turns.add(lease, user("ann"));
  turns.add(3, user("bob"));
  turns.cancel_if([](const User& one) { return one.name == "ann"; }, {"call", "gone", ""});
  EXPECT_TRUE(turns.fault_of(1) && turns.fault_of(2));
  EXPECT_FALSE(turns.fault_of(3));
}

}  // namespace
}  // namespace tasuki::rpc
