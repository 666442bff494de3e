// One rank of NPB IS: its communication, its keys, and the phases they go through.
//
// Created by the main programs, which decide who starts the phases. Thread-safety: one per rank;
// construction and the phases are collective.
#pragma once

#include "common/job.hpp"
#include "npb/is/ranker.hpp"

namespace tasuki::npb::is {

template <Exchange E>
class Node {
 public:
  /// Generates this rank's keys.
  Node(const Options& options, int rank, int ranks)
      : exchange_(options.split),
        ranker_(problem_of(options.problem_class), rank, ranks, exchange_, options.exchanged) {
    if (options.perturb) ranker_.perturb();
  }

  /// The untimed ranking that NPB prescribes: touches all memory, opens all connections.
  void warm_up() { ranker_.rank_keys(1); }

  /// The timed part, and the final sort, which is not timed.
  Result rank_all() {
    Result result;
    exchange_.stopwatch().start();
    for (int iteration = 1; iteration <= iterations; ++iteration)
      result.ranks[static_cast<std::size_t>(iteration - 1)] = ranker_.rank_keys(iteration);
    result.measurement = exchange_.stopwatch().stop();
    result.order = ranker_.order();
    return result;
  }

 private:
  E exchange_;
  Ranker<E> ranker_;
};

/// The program, on every rank. Returns: its exit code.
template <Job J, Exchange E>
int run(const Options& options) {
  Node<E> node(options, J::rank(), J::size());
  node.warm_up();
  J::barrier();
  return report_results<J>(node.rank_all(), options.json, [&](const std::vector<Result>& results) {
    return report_of(results, options);
  });
}

}  // namespace tasuki::npb::is
