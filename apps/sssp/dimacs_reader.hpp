// The .gr format of the 9th DIMACS implementation challenge (shortest paths): a header
// `p sp NODES ARCS`, lines `a FROM TO WEIGHT`, comments that begin with c. Nodes count from 1.
//
// Called by read_graph. Thread-safety: one reader per thread.
#pragma once

#include "sssp/graph.hpp"
#include "sssp/line_reader.hpp"

namespace tasuki::sssp {

/// `lines` is at the header, of which `p sp` is taken. Throws graph_error.
EdgeList read_dimacs(LineReader& lines);

}  // namespace tasuki::sssp
