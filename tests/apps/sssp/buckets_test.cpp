#include "sssp/buckets.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tasuki::sssp {
namespace {

/// Calls `on_take` and remembers what was taken, and fetched before.
template <class OnTake>
struct Recorder {
  OnTake on_take;
  std::vector<Node> taken;
  std::vector<Node> nodes_fetched;
  std::vector<Node> arcs_fetched;

  void take(const Buckets::Entry& entry) {
    taken.push_back(entry.node);
    on_take(entry);
  }
  void fetch_node(const Buckets::Entry& entry) { nodes_fetched.push_back(entry.node); }
  void fetch_arcs(const Buckets::Entry& entry) {
    arcs_fetched.push_back(entry.node);
    EXPECT_EQ(std::ranges::count(taken, entry.node), 0);
  }
};

template <class OnTake>
Recorder<OnTake> drain(Buckets& buckets, Distance number, OnTake on_take) {
  Recorder<OnTake> recorder{on_take, {}, {}, {}};
  buckets.drain(number, recorder);
  return recorder;
}

std::vector<Node> drained(Buckets& buckets, Distance number) {
  return drain(buckets, number, [](const Buckets::Entry&) {}).taken;
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
  drain(buckets, 2, [&](const Buckets::Entry& entry) {
    EXPECT_EQ(entry.node, taken++);
    if (++distance < 30) buckets.push(taken, distance);
  });
  EXPECT_EQ(taken, 10U);
  EXPECT_EQ(buckets.least(), infinity);
}

TEST(Buckets, NodesAreFetchedBeforeTheirArcsAndBothBeforeTheyAreTaken) {
  Buckets buckets(1000, 5);
  for (Node node = 0; node < 100; ++node) buckets.push(node, 0);
  const auto recorder = drain(buckets, 0, [](const Buckets::Entry&) {});
  ASSERT_EQ(recorder.taken.size(), 100U);
  const std::vector<Node>& nodes = recorder.nodes_fetched;
  const std::vector<Node>& arcs = recorder.arcs_fetched;
  ASSERT_FALSE(nodes.empty());
  ASSERT_GT(arcs.size(), nodes.size());  // closer to the one that is taken
  EXPECT_TRUE(std::equal(nodes.begin(), nodes.end(), recorder.taken.end() - std::ssize(nodes)));
  EXPECT_TRUE(std::equal(arcs.begin(), arcs.end(), recorder.taken.end() - std::ssize(arcs)));
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
