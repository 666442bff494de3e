#include "sssp/method.hpp"

#include <gtest/gtest.h>

#include "apps/sssp/random_graph.hpp"
#include "apps/sssp/thread_exchange.hpp"
#include "sssp/partitioning.hpp"
#include "sssp/problem.hpp"

namespace tasuki::sssp {
namespace {

struct Found {
  std::vector<Distance> distances;
  std::uint64_t phases = 0;
};

/// The search twice, as the programs do it, by the given number of ranks.
Found found(const Method& method, const Problem& problem, int ranks) {
  Found result;
  apps::ThreadRanks threads(ranks);
  threads.run([&](int rank) {
    ThreadExchange exchange(threads, rank, ranks);
    const LocalGraph graph = problem.part_of(rank, ranks);
    Search search(graph, problem.source_on(rank), exchange);
    const auto solver = method.make(search, problem.delta);
    const std::uint64_t once = solver->solve();
    const std::uint64_t phases = solver->solve();
    EXPECT_EQ(phases, once);
    const auto all = exchange.collect(search.distances().first(graph.local_count()));
    if (rank == 0) result = {problem.in_order(all, ranks), phases};
  });
  return result;
}

/// Distances by relaxing all arcs until nothing changes (Bellman, Ford): slow and simple.
std::vector<Distance> simple_distances(const Graph& graph, Node source) {
  std::vector<Distance> distances(graph.node_count(), infinity);
  distances[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (Node node = 0; node < graph.node_count(); ++node) {
      if (distances[node] == infinity) continue;
      for (const Arc& arc : graph.arcs_of(node))
        if (distances[node] + arc.weight < distances[arc.target]) {
          distances[arc.target] = distances[node] + arc.weight;
          changed = true;
        }
    }
  }
  return distances;
}

Problem problem_of(const Graph& graph, const Partitioning& partitioning, int ranks, unsigned seed) {
  Problem problem;
  problem.graph = graph;
  problem.owners = partitioning.owners(graph, ranks);
  problem.source = seed % graph.node_count();
  const GraphSummary summary = summary_of(graph);
  const Weight least = least_delta(summary);
  problem.delta = seed % 2 == 0 ? default_delta(summary) : least + seed % 7;
  return problem;
}

class EveryMethod : public testing::TestWithParam<Method> {};

TEST_P(EveryMethod, FindsTheDistancesOfRandomGraphs) {
  const Method& method = GetParam();
  for (unsigned seed = 0; seed < 24; ++seed) {
    const Graph graph = random_graph(seed);
    for (const Partitioning& partitioning : partitionings())
      for (int ranks = 1; ranks <= (method.is_sequential ? 1 : 4); ++ranks) {
        if (!partitioning.remedy.empty()) continue;
        const Problem problem = problem_of(graph, partitioning, ranks, seed);
        EXPECT_EQ(found(method, problem, ranks).distances, simple_distances(graph, problem.source))
            << "seed " << seed << ", " << partitioning.name << ", " << ranks << " ranks";
      }
  }
}

TEST_P(EveryMethod, FindsOneNodeWithoutArcs) {
  EdgeList list;
  list.node_count = 1;
  const Graph graph(list);
  for (int ranks = 1; ranks <= (GetParam().is_sequential ? 1 : 3); ++ranks)
    EXPECT_EQ(found(GetParam(), problem_of(graph, partitionings()[0], ranks, 0), ranks).distances,
              std::vector<Distance>{0});
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Crauser, PhasesAreThoseOfTheCriteria) {
  // 0 -> 1 (1), 0 -> 2 (2), 0 -> 3 (9), 1 -> 4 (5), 2 -> 4 (5), 3 -> 4 (5).
  EdgeList list;
  list.node_count = 5;
  list.arcs = {{0, 1, 1}, {0, 2, 2}, {0, 3, 9}, {1, 4, 5}, {2, 4, 5}, {3, 4, 5}};
  for (const int ranks : {1, 2, 3}) {
    const Problem problem = problem_of(Graph(list), partitionings()[0], ranks, 0);
    // OUT: {0}, then with L = 1 + 5 {1, 2}, then with L = 14 (of 3; 4 has no arcs) {3, 4}.
    EXPECT_EQ(found(method("out"), problem, ranks).phases, 3U);
    // IN: {0}, then with M = 1 all that only 0 leads to, {1, 2, 3}, then {4}.
    EXPECT_EQ(found(method("in"), problem, ranks).phases, 3U);
    EXPECT_EQ(found(method("both"), problem, ranks).phases, 3U);
  }
}

TEST(Crauser, PhasesDoNotDependOnRanksAndEitherCriterionNeedsFewest) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Graph graph = random_graph(seed);
    std::uint64_t phases_of[3] = {};
    for (const int ranks : {1, 2, 4})
      for (std::size_t k = 0; k < 3; ++k) {
        const Method& one = methods()[k];
        const Problem problem = problem_of(graph, partitionings()[0], ranks, seed);
        const std::uint64_t phases = found(one, problem, ranks).phases;
        if (ranks == 1) phases_of[k] = phases;
        EXPECT_EQ(phases, phases_of[k]) << one.name << " seed " << seed;
      }
    EXPECT_LE(phases_of[2], phases_of[0]) << "seed " << seed;
    EXPECT_LE(phases_of[2], phases_of[1]) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tasuki::sssp
