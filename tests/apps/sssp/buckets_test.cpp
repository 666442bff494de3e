#include "sssp/buckets.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tasuki::sssp {
namespace {

std::vector<Node> drained(Buckets& buckets, Distance number) {
  std::vector<Node> nodes;
  buckets.drain(number, [&](const Buckets::Entry& entry) { nodes.push_back(entry.node); });
  return nodes;
}

TEST(Buckets, GoRoundInACircle) {
  Buckets buckets(10, 25);
  EXPECT_EQ(buckets.least(), infinity);
  for (Distance begin = 0; begin < 1000; begin += 10) {
    buckets.push(1, begin + 9);
    buckets.push(2, begin + 34);
    EXPECT_EQ(buckets.least(), begin / 10);
    const std::vector<Node> nodes = drained(buckets, begin / 10);
    EXPECT_EQ(std::ranges::count(nodes, Node{1}), 1);
    EXPECT_EQ(buckets.least(), begin / 10 + (begin < 20 ? 3 - begin / 10 : 1));
  }
}

TEST(Buckets, DrainTakesWhatComesMeanwhile) {
  Buckets buckets(10, 5);
  buckets.push(0, 20);
  Distance distance = 20;
  Node taken = 0;
  buckets.drain(2, [&](const Buckets::Entry& entry) {
    EXPECT_EQ(entry.node, taken++);
    if (++distance < 30) buckets.push(taken, distance);
  });
  EXPECT_EQ(taken, 10U);
  EXPECT_EQ(buckets.least(), infinity);
}

TEST(Buckets, AnEmptyOneIsDrainedWithoutHarm) {
  Buckets buckets(10, 50);
  buckets.push(7, 35);
  EXPECT_EQ(drained(buckets, 2), std::vector<Node>());
  EXPECT_EQ(buckets.least(), 3U);
  EXPECT_EQ(drained(buckets, 3), std::vector<Node>{7});
}

}  // namespace
}  // namespace tasuki::sssp
