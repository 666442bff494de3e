#include "sssp/shared_search.hpp"

#include <gtest/gtest.h>

#include "apps/sssp/random_graph.hpp"
#include "sssp/dijkstra.hpp"
#include "sssp/local_graph.hpp"
#include "sssp/method.hpp"

namespace tasuki::sssp {
namespace {

/// Searches twice, for the second search finds what the first has left behind.
void expect_distances_of_dijkstra(const Graph& graph, Node source, Weight delta) {
  std::vector<Distance> expected(graph.node_count());
  Dijkstra(graph.begins, graph.arcs).solve(source, expected);
  SharedSearch search(graph, delta);
  for (int repetition = 0; repetition < 2; ++repetition) {
    search.solve(source);
    const std::vector<Distance> found(search.distances().begin(), search.distances().end());
    EXPECT_EQ(found, expected) << "source " << source << ", delta " << delta;
  }
}

TEST(SharedSearch, FindsTheDistancesOfDijkstra) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Graph graph = random_graph(seed);
    for (const Weight delta : {default_delta(summary_of(graph)), most_weight})
      expect_distances_of_dijkstra(graph, seed % graph.node_count(), delta);
  }
}

TEST(SharedSearch, TakesTheNarrowestBuckets) {
  const Graph graph(EdgeList{3, 0, {{0, 1, most_weight}, {1, 2, 1}, {0, 2, most_weight}}});
  expect_distances_of_dijkstra(graph, 0, least_delta(summary_of(graph)));
}

}  // namespace
}  // namespace tasuki::sssp
