// One rank of a search: its part of the graph, an untimed and some timed searches, and what came of
// them.
//
// Used by the main programs, all of whose ranks run it. Thread-safety: one per rank; collective.
#pragma once

#include "sssp/exchange.hpp"
#include "sssp/options.hpp"
#include "sssp/problem.hpp"
#include "sssp/result.hpp"

namespace tasuki::sssp {

/// The measurement is that of the timed search that took the median time on rank 0.
/// Throws graph_error on all ranks if one of them has no memory to begin.
Result search(const Options& options, const Problem& problem, Exchange& exchange);

/// Runs `program`, which returns the exit code, on every rank. Returns: the exit code; 1 if there
/// is no graph to search, which rank 0 reports. Throws std::runtime_error, which ends the job, on a
/// rank that runs out of memory while it searches.
int reporting_graph_errors(int rank, int (*program)(const Options& options),
                           const Options& options);

}  // namespace tasuki::sssp
