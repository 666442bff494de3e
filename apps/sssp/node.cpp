#include "sssp/node.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "sssp/agreement.hpp"
#include "sssp/method.hpp"

namespace tasuki::sssp {
namespace {

/// Searches that take so long in all need no repeating to be told from others.
constexpr double enough_s = 1;

/// What rank 0 says. Collective.
std::size_t told(std::size_t mine, Exchange& exchange) {
  exchange.broadcast(std::as_writable_bytes(std::span(&mine, 1)));
  return mine;
}

bool has_enough(const std::vector<apps::Measurement>& timed, std::int64_t most) {
  double spent_s = 0;
  for (const apps::Measurement& one : timed) spent_s += one.seconds;
  return std::ssize(timed) >= most || spent_s >= enough_s;
}

std::size_t middle_of(const std::vector<apps::Measurement>& timed) {
  std::vector<std::size_t> order(timed.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::sort(order, {}, [&](std::size_t k) { return timed[k].seconds; });
  return order[(order.size() - 1) / 2];
}

}  // namespace

Result time_searches(const Options& options, Exchange& exchange,
                     const std::function<std::uint64_t()>& solve) {
  Result result;
  exchange.barrier();
  solve();  // Touches all memory.
  std::vector<apps::Measurement> timed;
  do {
    exchange.barrier();
    exchange.stopwatch().start();
    result.phases = solve();
    timed.push_back(exchange.stopwatch().stop());
  } while (told(has_enough(timed, options.searches) ? 1 : 0, exchange) == 0);
  result.measurement = timed[told(middle_of(timed), exchange)];
  for (const apps::Measurement& one : timed) result.search_seconds.push_back(one.seconds);
  return result;
}

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
  Result result = time_searches(options, exchange, [&] { return solver->solve(); });
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
