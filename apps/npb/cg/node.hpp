// One rank of NPB CG: its layout, its communication, its solver, and the phases they go through.
//
// Used by the main programs, all of whose ranks run it. Thread-safety: one per rank; collective.
#pragma once

#include "common/job.hpp"
#include "npb/cg/result.hpp"
#include "npb/cg/solver.hpp"

namespace tasuki::npb::cg {

/// The program, on every rank. Returns: its exit code.
template <Job J, Exchange E>
int run(const Options& options) {
  const Problem problem = problem_of(options.problem_class);
  const Layout layout(problem.order, J::rank(), J::size());
  E exchange(layout, options.split);
  Solver<E> solver(problem, layout, exchange);
  if (options.perturb) solver.perturb();
  // The untimed iteration that NPB prescribes: touches all memory, opens all connections.
  solver.iterate(1);
  solver.restart();
  J::barrier();
  exchange.stopwatch().start();
  Result result;
  result.zeta = solver.iterate(problem.iterations);
  result.measurement = exchange.stopwatch().stop();
  result.residual = solver.residual();
  return report_results<J>(result, options.json, [&](const std::vector<Result>& results) {
    return report_of(results, options);
  });
}

}  // namespace tasuki::npb::cg
