// One rank of NPB MG: its layout, its communication, its solver, and the phases they go through.
//
// Used by the main programs, all of whose ranks run it. Thread-safety: one per rank; collective.
#pragma once

#include "common/job.hpp"
#include "npb/mg/result.hpp"
#include "npb/mg/solver.hpp"

namespace tasuki::npb::mg {

/// The program, on every rank. Returns: its exit code.
template <Job J, Exchange E>
int run(const Options& options) {
  const Problem problem = problem_of(options.problem_class);
  const Layout layout(problem.edge_bits, J::rank(), J::size());
  E exchange(layout, options.split);
  Solver<E> solver(problem, layout, exchange);
  // The untimed iteration that NPB prescribes: touches all memory, opens all connections.
  solver.iterate(1);
  solver.restart();
  if (options.perturb) solver.perturb();
  J::barrier();
  exchange.stopwatch().start();
  Result result;
  solver.iterate(problem.iterations);
  result.norm = solver.norm();
  result.measurement = exchange.stopwatch().stop();
  return report_results<J>(result, options.json, [&](const std::vector<Result>& results) {
    return report_of(results, options);
  });
}

}  // namespace tasuki::npb::mg
