// The graph in a file: which format it has, and the reader of that.
//
// Called by rank 0 (load.hpp). Thread-safety: a pure function but for the file.
#pragma once

#include <string>

#include "sssp/graph.hpp"

namespace tasuki::sssp {

/// FILE.gr is DIMACS or PACE, as its header says; any other an edge list; each also with .xz behind
/// it. Throws graph_error.
EdgeList read_graph(const std::string& file);

}  // namespace tasuki::sssp
