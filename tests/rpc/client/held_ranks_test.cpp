#include "rpc/client/held_ranks.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tasuki/error.hpp>
#include <thread>

namespace tasuki::rpc {
namespace {

std::string happened(const std::string& server, const std::string& module) {
  try {
    const HeldRanks held(server, module);
  } catch (const error& fault) {
    return fault.happened();
  }
  return "";
}

TEST(HeldRanksTest, ACallWithinACallGetsOtherRanksThanThatHas) {
  const HeldRanks held("server", "m");
  const std::string refused = "the call under way in this thread holds the ranks of module m";
  EXPECT_EQ(happened("server", "m"), refused);
  EXPECT_EQ(happened("server", "n"), "");
  EXPECT_EQ(happened("another", "m"), "");
  const HeldRanks inner("server", "n");
  EXPECT_EQ(happened("server", "m"), refused);
}

TEST(HeldRanksTest, RanksAreFreeAfterTheCall) {
  EXPECT_EQ(happened("server", "m"), "");
  EXPECT_EQ(happened("server", "m"), "");
}

TEST(HeldRanksTest, AnotherThreadMayWaitForThem) {
  const HeldRanks held("server", "m");
  std::thread([] { EXPECT_EQ(happened("server", "m"), ""); }).join();
}

}  // namespace
}  // namespace tasuki::rpc
