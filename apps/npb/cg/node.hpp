// One rank of NPB CG: its layout, its communication, its solver, and the phases they go through.
//
// Created by the main programs, which decide who starts the phases. Thread-safety: one per rank;
// construction and the phases are collective.
#pragma once

#include "common/job.hpp"
#include "npb/cg/result.hpp"
#include "npb/cg/solver.hpp"

namespace tasuki::npb::cg {

template <Exchange E>
class Node {
 public:
  /// Generates this rank's part of the matrix.
  Node(const Options& options, int rank, int ranks)
      : problem_(problem_of(options.problem_class)),
        layout_(problem_.order, rank, ranks),
        exchange_(layout_, options.split),
        solver_(problem_, layout_, exchange_) {
    if (options.perturb) solver_.perturb();
  }

  /// The untimed iteration that NPB prescribes: touches all memory, opens all connections.
  void warm_up() {
    solver_.iterate(1);
    solver_.restart();
  }

  /// The timed part.
  Result solve() {
    exchange_.stopwatch().start();
    const double zeta = solver_.iterate(problem_.iterations);
    const Measurement measurement = exchange_.stopwatch().stop();
    return {zeta, solver_.residual(), measurement};
  }

 private:
  Problem problem_;
  Layout layout_;
  E exchange_;
  Solver<E> solver_;
};

/// The program, on every rank. Returns: its exit code.
template <Job J, Exchange E>
int run(const Options& options) {
  Node<E> node(options, J::rank(), J::size());
  node.warm_up();
  J::barrier();
  return report_results<J>(node.solve(), options.json, [&](const std::vector<Result>& results) {
    return report_of(results, options);
  });
}

}  // namespace tasuki::npb::cg
