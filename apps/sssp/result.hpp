// What the ranks of a search hand to rank 0, and the report made of it.
//
// Called by the programs after the search. Thread-safety: a value and a pure function.
#pragma once

#include <vector>

#include "common/report.hpp"
#include "sssp/problem.hpp"

namespace tasuki::sssp {

struct Result {
  apps::Measurement measurement;
  std::vector<double> search_seconds;  ///< Of each timed search, on this rank.
  std::uint64_t phases = 0;
  std::vector<Distance> distances;  ///< On rank 0: of all nodes, by rank.
};

/// All that the other ranks hand over at the end. Trivially copyable: it travels as it is.
struct Share {
  apps::Measurement measurement;
};

/// Runs Dijkstra to verify, and, for the speed-up, to measure: the least of several times, `now_s`
/// being the clock in seconds.
apps::Report report_of(const Result& result, int ranks, const Problem& problem,
                       const Options& options, double (*now_s)());

}  // namespace tasuki::sssp
