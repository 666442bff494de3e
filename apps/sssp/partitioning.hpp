// Which rank owns which node: the ways to decide, in one list.
//
// Called by rank 0, which tells the others. Thread-safety: pure functions.
#pragma once

#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "sssp/graph.hpp"

namespace tasuki::sssp {

/// What a partitioning throws that cannot take a graph.
class partitioning_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Partitioning {
  std::string_view name;
  std::string_view summary;
  std::vector<int> (*owners)(const Graph& graph, int ranks);  ///< By node.
  std::string_view remedy;  ///< What to do to have it, if this build has not; else empty.
};

/// Parts of consecutive nodes.
std::vector<int> block_owners(const Graph& graph, int ranks);

/// Parts with few arcs between them, by METIS, several for each rank, so that no rank has to wait
/// until a search gets to its side of the graph. Graphs of fewer than 16 nodes for each rank, for
/// which METIS is not made, are dealt out node by node.
/// Source: G. Karypis, V. Kumar, A fast and high quality multilevel scheme for partitioning
/// irregular graphs, SIAM J. Scientific Computing 20, 1998.
std::vector<int> metis_owners(const Graph& graph, int ranks);
extern const std::string_view metis_remedy;

std::span<const Partitioning> partitionings();
/// Requires: it is in the list.
const Partitioning& partitioning(std::string_view name);

}  // namespace tasuki::sssp
