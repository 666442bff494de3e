#include "sssp/partitioning.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "apps/sssp/random_graph.hpp"

namespace tasuki::sssp {
namespace {

/// Side x side crossings, each joined with its neighbours.
Graph grid(Node side) {
  EdgeList list;
  list.node_count = side * side;
  for (Node node = 0; node < side * side; ++node)
    for (const Node step : {Node{1}, side}) {
      if (step == 1 ? node % side + 1 == side : node + side >= side * side) continue;
      list.arcs.push_back({node, node + step, 1});
      list.arcs.push_back({node + step, node, 1});
    }
  return Graph(list);
}

std::size_t cut_of(const Graph& graph, const std::vector<int>& owners) {
  std::size_t cut = 0;
  for (Node node = 0; node < graph.node_count(); ++node)
    for (const Arc& arc : graph.arcs_of(node)) cut += owners[node] != owners[arc.target];
  return cut;
}

TEST(Partitioning, GivesEveryNodeOfAnyGraphToARank) {
  for (const Partitioning& one : partitionings()) {
    if (!one.remedy.empty()) continue;
    for (unsigned seed = 0; seed < 30; ++seed)
      for (const int ranks : {1, 2, 3, 7}) {
        const Graph graph = random_graph(seed);
        const std::vector<int> owners = one.owners(graph, ranks);
        ASSERT_EQ(owners.size(), graph.node_count()) << one.name << " seed " << seed;
        for (const int owner : owners) ASSERT_TRUE(owner >= 0 && owner < ranks);
        if (graph.node_count() < 50) continue;
        for (int rank = 0; rank < ranks; ++rank)
          EXPECT_GT(std::ranges::count(owners, rank), 0) << one.name << " seed " << seed;
      }
  }
}

TEST(Partitioning, BlocksAreConsecutiveAndEven) {
  EXPECT_EQ(block_owners(grid(3), 2), (std::vector<int>{0, 0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(Partitioning, MetisCutsFewArcsAndDividesEvenly) {
  if (!partitioning("metis").remedy.empty()) GTEST_SKIP() << partitioning("metis").remedy;
  const Graph graph = grid(100);
  for (const int ranks : {2, 4}) {
    const std::vector<int> owners = metis_owners(graph, ranks);
    EXPECT_LT(cut_of(graph, owners), graph.arcs.size() / 8);
    for (int rank = 0; rank < ranks; ++rank)
      EXPECT_NEAR(static_cast<double>(std::ranges::count(owners, rank)), 10'000.0 / ranks,
                  500.0 / ranks);
  }
}

}  // namespace
}  // namespace tasuki::sssp
