#include "sssp/node.hpp"

#include <cstdio>

#include "sssp/graph_error.hpp"
#include "sssp/method.hpp"

namespace tasuki::sssp {

Result search(const Options& options, const Problem& problem, Exchange& exchange) {
  const LocalGraph graph = problem.part_of(exchange.rank(), exchange.ranks());
  Search search(graph, problem.source_on(exchange.rank()), exchange);
  const auto solver = method(options.method).make(search, problem.delta);
  Result result;
  for (const bool timed : {false, true}) {  // The first search touches all memory.
    exchange.barrier();
    if (timed) exchange.stopwatch().start();
    result.phases = solver->solve();
  }
  result.measurement = exchange.stopwatch().stop();
  const std::span<Distance> mine = search.distances().first(graph.local_count());
  if (options.perturb && search.source() != Search::no_source) ++mine[search.source()];
  result.distances = exchange.collect(mine);
  return result;
}

int reporting_graph_errors(int rank, int (*program)(const Options& options),
                           const Options& options) {
  try {
    return program(options);
  } catch (const graph_error& error) {
    if (rank == 0) std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace tasuki::sssp
