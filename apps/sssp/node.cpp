#include "sssp/node.hpp"

#include <cstdio>
#include <stdexcept>

#include "sssp/agreement.hpp"
#include "sssp/method.hpp"

namespace tasuki::sssp {

Result search(const Options& options, const Problem& problem, Exchange& exchange) {
  const int rank = exchange.rank();
  std::optional<LocalGraph> graph;
  std::optional<Search> search;
  std::unique_ptr<Solver> solver;
  on_all_ranks(options.graph, exchange, [&] {
    graph.emplace(problem.part_of(rank, exchange.ranks()));
    search.emplace(*graph, problem.source_on(rank), exchange);
    solver = method(options.method).make(*search, problem.delta);
  });
  Result result;
  for (const bool timed : {false, true}) {  // The first search touches all memory.
    exchange.barrier();
    if (timed) exchange.stopwatch().start();
    result.phases = solver->solve();
  }
  result.measurement = exchange.stopwatch().stop();
  const std::span<Distance> mine = search->distances().first(graph->local_count());
  if (options.perturb && search->source() != Search::no_source) ++mine[search->source()];
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
  } catch (const std::bad_alloc&) {
    // The other ranks are in the midst of it and wait for this one: it has to end the job.
    throw std::runtime_error(lack_of_memory(options.graph, rank).what());
  }
}

}  // namespace tasuki::sssp
