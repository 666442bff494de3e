#include <gtest/gtest.h>

#include <tasuki/detail/fiber/wait_reason.hpp>

namespace tasuki::fiber {
namespace {

TEST(LastReason, OfOneThatFollowsNone) {
  const WaitReason reply{WaitKind::reply, 1, "named", 0, 7};
  EXPECT_EQ(&last_reason(reply), &reply);
  const WaitReason future{WaitKind::future};
  EXPECT_EQ(&last_reason(future), &future);
  const WaitReason sync{WaitKind::sync_read, -1, &future};
  EXPECT_EQ(&last_reason(sync), &sync);
}

TEST(LastReason, OfFuturesThatFollowEachOther) {
  const WaitReason reply{WaitKind::reply, 1, "named", 0, 7};
  const WaitReason second{WaitKind::future, -1, &reply};
  const WaitReason first{WaitKind::future, -1, &second};
  EXPECT_EQ(&last_reason(first), &reply);
}

}  // namespace
}  // namespace tasuki::fiber
