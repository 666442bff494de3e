// A graph and what to find in it, checked: the same on all ranks.
//
// Used by node.hpp and the report. Thread-safety: a value.
#pragma once

#include "sssp/load.hpp"
#include "sssp/local_graph.hpp"
#include "sssp/options.hpp"

namespace tasuki::sssp {

struct Problem {
  Problem() = default;
  /// Reads and divides the graph. Throws graph_error where options and graph do not fit,
  /// apps::usage_error where options and the number of ranks do not. Collective.
  Problem(const Options& options, Exchange& exchange);

  Graph graph;
  std::vector<int> owners;  ///< By node.
  Node source = 0;
  Weight delta = 1;

  LocalGraph part_of(int rank, int ranks) const { return {graph, owners, rank, ranks}; }
  /// Index of the source on `rank`, Search::no_source if it is another's.
  Node source_on(int rank) const noexcept;
  /// Arcs between ranks.
  std::uint64_t cut() const noexcept;
  /// Puts what the ranks have, one after the other, into the order of the graph.
  std::vector<Distance> in_order(std::span<const Distance> by_rank, int ranks) const;
};

}  // namespace tasuki::sssp
