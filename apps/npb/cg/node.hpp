// One rank of NPB CG: its layout, its communication, its solver, and the phases they go through.
//
// Used by the main programs, all of whose ranks run it. Thread-safety: one per rank; collective.
#pragma once

#include "common/job.hpp"
#include "npb/cg/result.hpp"
#include "npb/cg/solver.hpp"

namespace tasuki::npb::cg {

/// Solves the problem, of which a part may be spoilt. `exchange` has besides an Exchange's
/// operations a stopwatch.
template <Job J, Exchange E>
Result solve_problem(const Problem& problem, const Layout& layout, E& exchange, bool is_perturbed) {
  Solver<E> solver(problem, layout, exchange);
  if (is_perturbed) solver.perturb();
  // The untimed iteration that NPB prescribes: touches all memory, opens all connections.
  solver.iterate(1);
  solver.restart();
  J::barrier();
  exchange.stopwatch().start();
  Result result;
  result.zeta = solver.iterate(problem.iterations);
  result.measurement = exchange.stopwatch().stop();
  result.residual = solver.residual();
  return result;
}

/// The program, on every rank. Returns: its exit code.
template <Job J, Exchange E>
int run(const Options& options) {
  const Problem problem = problem_of(options.problem_class);
  const Layout layout(problem.order, J::rank(), J::size());
  E exchange(layout, options.split);
  const Result result = solve_problem<J>(problem, layout, exchange, options.perturb);
  return report_results<J>(result, options.json, [&](const std::vector<Result>& results) {
    return report_of(results, options);
  });
}

}  // namespace tasuki::npb::cg
