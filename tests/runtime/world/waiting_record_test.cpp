#include "runtime/world/waiting_record.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/world/waiting_fiber.hpp"

namespace tasuki::runtime {
namespace {

TEST(WaitingRecord, TellsWhenEachFiberWaitedForWhichRank) {
  const std::string slot =
      waiting_slot(123, {waiting_main(2, "rank 2"), waiting_main(-1, "the other ranks")});
  EXPECT_EQ(slot.size(), 4096U);
  EXPECT_STREQ(slot.c_str(), "123\n2 main waits for rank 2\n-1 main waits for the other ranks\n");
}

TEST(WaitingRecord, LeavesOutWhatDoesNotFit) {
  const std::string slot =
      waiting_slot(123, {waiting_main(2, std::string(5000, 'x')), waiting_main(3, "rank 3")});
  EXPECT_EQ(slot.size(), 4096U);
  EXPECT_STREQ(slot.c_str(), "123\n3 main waits for rank 3\n");
}

}  // namespace
}  // namespace tasuki::runtime
