// One rank of NPB SP: its layout, its communication, its solver, and the phases they go through.
//
// Used by the main programs, all of whose ranks run it. Thread-safety: one per rank; collective.
#pragma once

#include "common/job.hpp"
#include "npb/sp/result.hpp"
#include "npb/sp/solver.hpp"

namespace tasuki::npb::sp {

/// The program, on every rank. Returns: its exit code.
template <Job J, Exchange E>
int run(const Options& options) {
  const Problem problem = problem_of(options.problem_class);
  const Layout layout(problem.edge, J::rank(), J::size());
  E exchange(layout, options.split);
  Solver<E> solver(problem, layout, exchange);
  // The untimed step that NPB prescribes: touches all memory, opens all connections.
  solver.advance(1);
  solver.restart();
  if (options.perturb) solver.perturb();
  J::barrier();
  exchange.stopwatch().start();
  Result result;
  solver.advance(problem.steps);
  result.measurement = exchange.stopwatch().stop();
  result.error = solver.error();
  result.residual = solver.residual();
  return report_results<J>(result, options.json, [&](const std::vector<Result>& results) {
    return report_of(results, options);
  });
}

}  // namespace tasuki::npb::sp
