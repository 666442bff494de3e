#include <gtest/gtest.h>

#include <cstddef>
#include <tasuki/detail/fiber/wait_reason.hpp>
#include <vector>

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

TEST(LastReason, OfFuturesThatWaitForEachOther) {
  constexpr std::size_t most_count = 7;
  for (std::size_t count = 1; count <= most_count; ++count) {
    for (std::size_t back_to = 0; back_to < count; ++back_to) {
      std::vector<WaitReason> reasons(count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t next = i + 1 < count ? i + 1 : back_to;
        reasons[i] = {WaitKind::future, -1, &reasons[next]};
      }
      EXPECT_EQ(&last_reason(reasons[0]), &reasons[0]) << count << " back to " << back_to;
    }
  }
}

}  // namespace
}  // namespace tasuki::fiber
