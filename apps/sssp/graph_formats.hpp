// The formats of graph files.
//
// `p sp NODES ARCS` begins a .gr file of the 9th DIMACS implementation challenge (shortest paths):
// then lines `a FROM TO WEIGHT`, comments that begin with c. Nodes count from 1.
// `p tw NODES EDGES` begins one of the PACE challenge (tree width): lines `U V`, comments that
// begin with c. Nodes count from 1; edges go both ways. It has no weights, so each edge gets one
// from 1 to 1000 that looks random and is the same for everybody (pace_weight). Edge lists are
// lines `FROM TO` or `FROM TO WEIGHT` (without one it is 1), comments that begin with # or %. Nodes
// count from 0; there are as many as the largest number says. Arcs go one way.
//
// Called by read_graph. Thread-safety: one reader per thread.
#pragma once

#include "sssp/graph.hpp"
#include "sssp/line_reader.hpp"

namespace tasuki::sssp {

/// `lines` is at the header, of which `p sp` or `p tw` is taken. Both throw graph_error.
EdgeList read_dimacs(LineReader& lines);
EdgeList read_pace(LineReader& lines);

/// Throws graph_error.
EdgeList read_edge_list(LineReader& lines);

/// 1 + splitmix64(min(one, other) * 2^32 + max(one, other)) mod 1000, nodes as in the file.
Weight pace_weight(std::uint64_t one, std::uint64_t other) noexcept;

}  // namespace tasuki::sssp
