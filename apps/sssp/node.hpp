// One rank of a search: its part of the graph, an untimed and some timed searches, and what came of
// them.
//
// Used by the main programs, all of whose ranks run it. Thread-safety: one per rank; collective.
#pragma once

#include <functional>

#include "common/job.hpp"
#include "sssp/exchange.hpp"
#include "sssp/options.hpp"
#include "sssp/problem.hpp"
#include "sssp/result.hpp"

namespace tasuki::sssp {

/// Calls `solve`, which returns the phases of a search, once untimed and then timed, until there
/// are options.searches or they took long. Returns: all but the distances; the measurement is that
/// of the timed search that took the median time on rank 0.
Result time_searches(const Options& options, Exchange& exchange,
                     const std::function<std::uint64_t()>& solve);

/// Searches by the method of `options`.
/// Throws graph_error on all ranks if one of them has no memory to begin.
Result search(const Options& options, const Problem& problem, Exchange& exchange);

/// Runs `program`, which returns the exit code, on every rank. Returns: the exit code; 1 if there
/// is no graph to search, which rank 0 reports. Throws std::runtime_error, which ends the job, on a
/// rank that runs out of memory while it searches.
int reporting_graph_errors(int rank, int (*program)(const Options& options),
                           const Options& options);

/// The program over ranks, whose Exchange is E. Returns: its exit code.
template <apps::Job J, class E>
int run(const Options& all_options) {
  const auto program = [](const Options& options) {
    E exchange(options.split);
    const Problem problem(options, exchange);
    const Result mine = search(options, problem, exchange);
    return apps::report_results<J>(Share{mine.measurement}, options.json, [&](const auto& all) {
      return report_of(mine, static_cast<int>(all.size()), problem, options, J::now_s);
    });
  };
  return reporting_graph_errors(J::rank(), program, all_options);
}

}  // namespace tasuki::sssp
