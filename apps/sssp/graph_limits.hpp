// What a graph may not ask for: one wrong number in a small file makes billions of nodes, for which
// the system would kill the job without a word.
//
// Called by rank 0 between reading a graph and taking memory for it. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "sssp/graph.hpp"

namespace tasuki::sssp {

/// Nodes without arcs are few in a graph that is meant. Throws graph_error if there are more than
/// 2^20 and 16 for each arc.
void check_names(const std::string& file, const EdgeList& list);

/// Throws graph_error if the graph takes more than `machine_bytes` while it is divided and
/// searched.
void check_memory(const std::string& file, const EdgeList& list, std::uint64_t machine_bytes);

}  // namespace tasuki::sssp
