#include "node/teams/node_segment.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>
#include <vector>

#include "node/no_peers.hpp"

namespace tasuki::node {
namespace {

class ThreadHost final : public Host {
 public:
  using Host::Host;
  void* allocate(std::size_t, std::size_t) override { return nullptr; }
  void free(void*) override {}
  bool yield_to_peers(std::uint64_t) override {
    sched_yield();
    return true;
  }
  void wait_until(const Condition& ready, const WaitNote&) override {
    while (!ready()) sched_yield();
  }
};

/// Two ranks, as two threads, agree. Returns: what each then thinks of the other's memory.
std::vector<bool> agreement_of(const HostTraits& first, const HostTraits& second) {
  NoPeers peers;
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> memory(NodeSegment::bytes_for(2) / sizeof(Line) + 1);
  const auto agree = [&](const HostTraits& traits) {
    ThreadHost host(peers, traits);
    NodeSegment segment(host, {{0, 1}, traits.rank, 0}, memory.front().bytes);
    segment.agree();
    return segment.reads_peers();
  };
  bool of_second = false;
  std::thread other([&] { of_second = agree(second); });
  const bool of_first = agree(first);
  other.join();
  return {of_first, of_second};
}

TEST(NodeSegmentTest, SingleCopiesNeedThatAllMayReadAll) {
  for (const bool may_read : {false, true}) {
    EXPECT_EQ(agreement_of({.rank = 0, .reads_peers = true}, {.rank = 1, .reads_peers = may_read}),
              std::vector<bool>(2, may_read));
  }
}

TEST(NodeSegmentDeathTest, RanksThatSeeDifferentProcessorsWouldChooseDifferentAlgorithms) {
  EXPECT_DEATH(agreement_of({.rank = 0, .processor = base::Processor::amd_family_26},
                            {.rank = 1, .processor = base::Processor::other}),
               "ranks . and . share a node but see processors of different families");
}

}  // namespace
}  // namespace tasuki::node
