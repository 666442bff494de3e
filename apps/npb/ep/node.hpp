// One rank of NPB EP: its pairs, their sums, and the sums of all ranks.
//
// Used by the main programs, all of whose ranks run it. Thread-safety: one per rank; collective.
#pragma once

#include <span>

#include "common/job.hpp"
#include "npb/common/sums.hpp"
#include "npb/ep/result.hpp"

namespace tasuki::npb::ep {

/// The sums of all ranks' pairs; leaves one pair of each rank out if `is_perturbed`.
template <Sums S>
DeviateSums solve_problem(const Problem& problem, int rank, int ranks, S& all, bool is_perturbed) {
  Range pairs = part_of({0, problem.pair_count()}, rank, ranks);
  if (is_perturbed) ++pairs.begin;
  DeviateSums sums = sum_deviates(pairs);
  all.sum(std::span(&sums.x, 1));
  all.sum(std::span(&sums.y, 1));
  all.sum(sums.annuli);
  return sums;
}

/// The program, on every rank. Returns: its exit code.
template <Job J, Sums S>
int run(const Options& options) {
  const Problem problem = problem_of(options.problem_class);
  S all(options.split);
  J::barrier();
  all.stopwatch().start();
  Result result;
  result.sums = solve_problem(problem, J::rank(), J::size(), all, options.perturb);
  result.measurement = all.stopwatch().stop();
  return report_results<J>(result, options.json, [&](const std::vector<Result>& results) {
    return report_of(results, options);
  });
}

}  // namespace tasuki::npb::ep
