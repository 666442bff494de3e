// One rank of NPB IS: its communication, its keys, and the phases they go through.
//
// Used by the main programs, all of whose ranks run it. Thread-safety: one per rank; collective.
#pragma once

#include "common/job.hpp"
#include "npb/is/ranker.hpp"

namespace tasuki::npb::is {

/// The program, on every rank. Returns: its exit code.
template <Job J, Exchange E>
int run(const Options& options) {
  const Problem problem = problem_of(options.problem_class);
  E exchange(options.split);
  Ranker<E> ranker(problem, J::rank(), J::size(), exchange, options.exchanged);
  if (options.perturb) ranker.perturb();
  // The untimed ranking that NPB prescribes: touches all memory, opens all connections.
  ranker.rank_keys(1);
  J::barrier();
  exchange.stopwatch().start();
  Result result;
  for (int iteration = 1; iteration <= iterations; ++iteration)
    result.ranks[static_cast<std::size_t>(iteration - 1)] = ranker.rank_keys(iteration);
  result.measurement = exchange.stopwatch().stop();
  result.order = ranker.order();  // The final sort, which is not timed.
  return report_results<J>(result, options.json, [&](const std::vector<Result>& results) {
    return report_of(results, options);
  });
}

}  // namespace tasuki::npb::is
