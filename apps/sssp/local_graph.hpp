// One rank's part of a graph: its nodes, numbered from 0 in the order of the whole graph, their
// arcs, and ghosts, the nodes of other ranks that these arcs lead to, numbered behind its own.
//
// Used by the methods through Search. Thread-safety: a value.
#pragma once

#include "common/huge_array.hpp"
#include "sssp/graph.hpp"

namespace tasuki::sssp {

/// What a method may know of the whole graph.
struct GraphSummary {
  Weight greatest_weight = 0;
  double mean_weight = 0;
  double mean_degree = 0;
};

GraphSummary summary_of(const Graph& graph) noexcept;

struct LocalGraph {
  struct Ghost {
    int owner = 0;
    Node index = 0;  ///< Among the nodes of its owner.
  };

  /// The part of `rank`. Requires: `owners` has every node's, all in [0, ranks).
  LocalGraph(const Graph& graph, std::span<const int> owners, int rank, int ranks);

  Node local_count() const noexcept { return static_cast<Node>(nodes.size()); }
  /// Nodes and ghosts.
  std::size_t known_count() const noexcept { return nodes.size() + ghosts.size(); }

  int rank = 0;
  int ranks = 1;
  GraphSummary summary;
  apps::HugeArray<std::uint32_t> begins;  ///< As of Graph; targets are nodes or ghosts.
  apps::HugeArray<Arc> arcs;
  std::vector<Ghost> ghosts;
  std::vector<Node> nodes;  ///< Their numbers in the whole graph, ascending.
  /// By node, the least weight of an arc that leads to it, or from it; infinity: there is none.
  std::vector<Distance> least_in;
  std::vector<Distance> least_out;
};

}  // namespace tasuki::sssp
