#include "transport/watch/verdict_text.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

namespace tasuki::transport::watch {
namespace {

/// Host h0 with ranks 0 and 3, h1 with 1 and 2, h2 with 4.
class VerdictTextTest : public ::testing::Test {
 protected:
  VerdictTextTest() {
    plan_.node_of_ranks = {0, 1, 1, 0, 2};
    for (const char* name : {"h0", "h1", "h2"}) {
      NodeCard card{};
      std::strcpy(card.host.data(), name);
      plan_.nodes.push_back(card);
    }
  }

  std::string text_of_verdict(std::uint8_t vanished) {
    Heartbeats heartbeats(
        plan_.own_node, 3, Key{}, 30'000'000'000, [](void*, const Datagram&) {}, nullptr);
    Datagram verdict;
    verdict.kind = Datagram::Kind::verdict;
    verdict.from = 2;
    verdict.vanished[0] = vanished;
    heartbeats.on_datagram(verdict, sizeof verdict, 0);
    write_verdict(plan_, heartbeats, *told_);
    EXPECT_EQ(told_->is_written.load(), 1U);
    return std::string(told_->what_happened());
  }

  WatchPlan plan_;
  std::unique_ptr<VanishedHosts> told_ = std::make_unique<VanishedHosts>();
};

TEST_F(VerdictTextTest, a_host_is_named_with_its_ranks) {
  EXPECT_EQ(text_of_verdict(2),
            "host h1 with ranks 1-2 has vanished: there has been no sign of life from it for 27 s");
  EXPECT_FALSE(told_->hold(0));
  EXPECT_TRUE(told_->hold(1));
  EXPECT_TRUE(told_->hold(2));
  EXPECT_FALSE(told_->hold(3));
}

TEST_F(VerdictTextTest, all_hosts_are_named) {
  EXPECT_EQ(text_of_verdict(6),
            "host h1 with ranks 1-2; host h2 with rank 4 have vanished: there has been no sign of "
            "life from them for 27 s");
  EXPECT_TRUE(told_->hold(4));
  EXPECT_FALSE(told_->hold(3));
}

TEST_F(VerdictTextTest, the_own_host_waits_for_all_others) {
  EXPECT_EQ(text_of_verdict(1),
            "host h0 with ranks 0, 3 has not been heard by the others for 27 s");
  EXPECT_FALSE(told_->hold(0));
  EXPECT_TRUE(told_->hold(1));
  EXPECT_TRUE(told_->hold(4));
}

}  // namespace
}  // namespace tasuki::transport::watch
