// A graph on all ranks: rank 0 reads, the others get what it has.
//
// Called once by every rank. Thread-safety: one per rank; collective.
#pragma once

#include <string>
#include <vector>

#include "sssp/exchange.hpp"
#include "sssp/options.hpp"

namespace tasuki::sssp {

/// Returns: the graph in `file`, on all ranks. Throws graph_error on all of them if there is none
/// or one of them has no memory for it; rank 0's says why.
Graph load(const std::string& file, Exchange& exchange);

/// Returns: who owns which node by options.partition, on all ranks. Throws likewise.
std::vector<int> divide(const Graph& graph, const Options& options, Exchange& exchange);

}  // namespace tasuki::sssp
