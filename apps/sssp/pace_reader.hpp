// The .gr format of the PACE challenge (tree width): a header `p tw NODES EDGES`, lines `U V`,
// comments that begin with c. Nodes count from 1; edges go both ways.
//
// The format has no weights, so each edge gets one from 1 to 1000 that looks random and is the same
// for everybody: 1 + splitmix64(min(U, V) * 2^32 + max(U, V)) mod 1000, U and V as in the file.
// Called by read_graph. Thread-safety: one reader per thread.
#pragma once

#include "sssp/graph.hpp"
#include "sssp/line_reader.hpp"

namespace tasuki::sssp {

/// The weight of an edge, by the numbers of the file.
Weight pace_weight(std::uint64_t one, std::uint64_t other) noexcept;

/// `lines` is at the header, of which `p tw` is taken. Throws graph_error.
EdgeList read_pace(LineReader& lines);

}  // namespace tasuki::sssp
