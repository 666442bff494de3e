// One rank of LU: its columns, an untimed and a timed factorisation, and what came of it.
//
// Used by the main programs, all of whose ranks run it. Thread-safety: one per rank; collective.
#pragma once

#include "common/job.hpp"
#include "lu/factorisation.hpp"
#include "lu/result.hpp"

namespace tasuki::lu {

inline Layout layout_of(const Options& options, int ranks) {
  return {static_cast<int>(options.n), static_cast<int>(options.block), ranks};
}

/// `exchange` has besides an Exchange's operations a stopwatch and a barrier.
template <Exchange E>
Result solve(const Options& options, int rank, int ranks, E& exchange) {
  Factorisation factorisation(layout_of(options, ranks), rank, exchange);
  for (const bool timed : {false, true}) {  // The first one touches all memory.
    factorisation.generate();
    exchange.barrier();
    if (timed) exchange.stopwatch().start();
    factorisation.factor_all();
  }
  Result result;
  result.measurement = exchange.stopwatch().stop();
  if (options.perturb) factorisation.perturb();
  result.residual = factorisation.residual();
  return result;
}

/// The program, on every rank. Returns: its exit code.
template <apps::Job J, Exchange E>
int run(const Options& options) {
  use_one_thread();
  E exchange(layout_of(options, J::size()), options.split);
  const Result mine = solve(options, J::rank(), J::size(), exchange);
  return apps::report_results<J>(mine, options.json, [&](const std::vector<Result>& results) {
    return report_of(results, options, J::now_s);
  });
}

}  // namespace tasuki::lu
