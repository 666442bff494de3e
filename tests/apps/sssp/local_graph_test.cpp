#include "sssp/local_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "apps/sssp/random_graph.hpp"
#include "sssp/partitioning.hpp"

namespace tasuki::sssp {
namespace {

using Edges = std::vector<Edge>;

Edges edges_of(const Graph& graph) {
  Edges edges;
  for (Node node = 0; node < graph.node_count(); ++node)
    for (const Arc& arc : graph.arcs_of(node)) edges.push_back({node, arc.target, arc.weight});
  return edges;
}

/// The arcs of all parts, in the numbers of the whole graph and in its order.
Edges edges_of(const std::vector<LocalGraph>& parts) {
  Edges edges;
  for (const LocalGraph& part : parts)
    for (Node node = 0; node < part.local_count(); ++node)
      for (std::uint32_t place = part.begins[node]; place < part.begins[node + 1]; ++place) {
        const auto [target, weight] = part.arcs[place];
        if (target < part.local_count()) {
          edges.push_back({part.nodes[node], part.nodes[target], weight});
          continue;
        }
        const auto [owner, index] = part.ghosts[target - part.local_count()];
        EXPECT_NE(owner, part.rank);
        edges.push_back(
            {part.nodes[node], parts[static_cast<std::size_t>(owner)].nodes[index], weight});
      }
  std::ranges::stable_sort(edges, {}, &Edge::source);
  return edges;
}

Distance least_weight(const Edges& edges, Node Edge::*end, Node node) {
  Distance least = infinity;
  for (const Edge& edge : edges)
    if (edge.*end == node) least = std::min<Distance>(least, edge.weight);
  return least;
}

TEST(LocalGraph, PartsMakeUpTheGraph) {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const int ranks : {1, 2, 5}) {
      const Graph graph = random_graph(seed);
      const std::vector<int> owners = block_owners(graph, ranks);
      std::vector<LocalGraph> parts;
      for (int rank = 0; rank < ranks; ++rank) parts.emplace_back(graph, owners, rank, ranks);
      const Edges edges = edges_of(graph);
      ASSERT_EQ(edges_of(parts), edges) << "seed " << seed << ", " << ranks << " ranks";
      for (const LocalGraph& part : parts)
        for (Node node = 0; node < part.local_count(); ++node) {
          ASSERT_EQ(part.least_out[node], least_weight(edges, &Edge::source, part.nodes[node]));
          ASSERT_EQ(part.least_in[node], least_weight(edges, &Edge::target, part.nodes[node]));
        }
    }
}

TEST(GraphSummary, TellsWeightsAndDegree) {
  EdgeList list;
  list.node_count = 4;
  const GraphSummary none = summary_of(Graph(list));
  EXPECT_EQ(none.greatest_weight, 0U);
  list.arcs = {{0, 1, 3}, {1, 2, 9}};
  const GraphSummary some = summary_of(Graph(list));
  EXPECT_EQ(some.greatest_weight, 9U);
  EXPECT_EQ(some.mean_weight, 6);
  EXPECT_EQ(some.mean_degree, 0.5);
}

}  // namespace
}  // namespace tasuki::sssp
