// Edge lists: lines `FROM TO` or `FROM TO WEIGHT` (without one it is 1), comments that begin with #
// or %. Nodes count from 0; there are as many as the largest number says. Arcs go one way.
//
// Called by read_graph. Thread-safety: one reader per thread.
#pragma once

#include "sssp/graph.hpp"
#include "sssp/line_reader.hpp"

namespace tasuki::sssp {

/// Throws graph_error.
EdgeList read_edge_list(LineReader& lines);

}  // namespace tasuki::sssp
