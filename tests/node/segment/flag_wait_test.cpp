#include "node/segment/flag_wait.hpp"

#include <gtest/gtest.h>

#include "node/no_peers.hpp"

namespace tasuki::node {
namespace {

/// Counts what a wait asks of it; has other work from `idle_yields` yields on.
class CountingHost final : public Host {
 public:
  CountingHost(transport::PeerMemory& peers, bool may_spin, int idle_yields)
      : Host(peers, {.rank = 0, .may_spin = may_spin}), idle_yields_(idle_yields) {}
  void* allocate(std::size_t, std::size_t) override { return nullptr; }
  void free(void*) override {}
  bool yield_to_peers(std::uint64_t) override { return yields_count++ < idle_yields_; }
  void wait_until(const Condition& ready, const WaitNote& note) override {
    told = note;
    ++waits_count;
    while (!ready()) {
    }
  }

  int yields_count = 0;
  int waits_count = 0;
  WaitNote told{};

 private:
  int idle_yields_;
};

/// Waits for what holds when it has been asked for `asks` times. Returns: how often it was asked.
int wait_for(CountingHost& host, int asks) {
  int asked_count = 0;
  FlagWait(host, 7).until([&] { return ++asked_count >= asks; }, 3, "barrier");
  return asked_count;
}

class FlagWaitTest : public testing::Test {
 protected:
  NoPeers peers_;
};

TEST_F(FlagWaitTest, WhatHoldsAlreadyIsAskedForOnce) {
  for (const bool may_spin : {false, true}) {
    CountingHost host(peers_, may_spin, 1000);
    EXPECT_EQ(wait_for(host, 1), 1);
    EXPECT_EQ(host.yields_count + host.waits_count, 0);
  }
}

TEST_F(FlagWaitTest, ARankWithACoreOfItsOwnSpinsFirst) {
  CountingHost host(peers_, true, 1000);
  EXPECT_EQ(wait_for(host, 1000), 1000);
  EXPECT_EQ(host.yields_count + host.waits_count, 0);
}

TEST_F(FlagWaitTest, ARankThatSharesItsCoreYieldsFirst) {
  CountingHost host(peers_, false, 1000);
  EXPECT_EQ(wait_for(host, 3), 3);
  EXPECT_EQ(host.yields_count, 2);
  EXPECT_EQ(host.waits_count, 0);
}

TEST_F(FlagWaitTest, LongWaitsAreTheHostsWhichLearnsWhatTheyAreFor) {
  for (const bool may_spin : {false, true}) {
    CountingHost host(peers_, may_spin, 1000);
    EXPECT_EQ(wait_for(host, 1'000'000), 1'000'000);
    EXPECT_EQ(host.waits_count, 1);
    EXPECT_EQ(host.told.rank, 3);
    EXPECT_EQ(host.told.team, 7U);
    EXPECT_STREQ(host.told.collective, "barrier");
  }
}

/// A called function that waits to run is not kept waiting by yields.
TEST_F(FlagWaitTest, AHostThatHasOtherWorkGetsTheWaitAtOnce) {
  CountingHost host(peers_, false, 0);
  wait_for(host, 10);
  EXPECT_EQ(host.yields_count, 1);
  EXPECT_EQ(host.waits_count, 1);
}

}  // namespace
}  // namespace tasuki::node
