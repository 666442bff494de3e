#include "sssp/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sssp/dijkstra.hpp"

namespace tasuki::sssp {
namespace {

/// Dijkstra's distances of all nodes, and the least time of several runs.
struct Oracle {
  apps::HugeArray<Distance> distances;
  double seconds = std::numeric_limits<double>::infinity();
};

Oracle ask_oracle(const Problem& problem, int repetitions, double (*now_s)()) {
  Oracle oracle;
  oracle.distances.resize(problem.graph.node_count());
  Dijkstra dijkstra(problem.graph.begins, problem.graph.arcs);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const double start_s = now_s();
    dijkstra.solve(problem.source, oracle.distances);
    oracle.seconds = std::min(oracle.seconds, now_s() - start_s);
  }
  return oracle;
}

std::size_t right_count(std::span<const Distance> found, std::span<const Distance> expected) {
  std::size_t count = 0;
  for (std::size_t node = 0; node < expected.size(); ++node) count += found[node] == expected[node];
  return count;
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

apps::Json findings_of(const Result& result, const Problem& problem, const Options& options,
                       std::int64_t unreached) {
  apps::Json findings = {{"cut", problem.cut()},
                         {"phases", result.phases},
                         {"reached", problem.graph.node_count() - unreached},
                         {"unreached", unreached}};
  if (options.searches > 1) findings["search_seconds"] = result.search_seconds;
  return findings;
}

}  // namespace

apps::Report report_of(const Result& result, int ranks, const Problem& problem,
                       const Options& options, double (*now_s)()) {
  constexpr int repetitions = 5;
  const Oracle oracle = ask_oracle(problem, options.speedup ? repetitions : 1, now_s);
  const std::vector<Distance> found = problem.in_order(result.distances, ranks);
  const Node node_count = problem.graph.node_count();
  const std::int64_t unreached = std::ranges::count(found, infinity);
  const std::uint64_t source = std::uint64_t{problem.source} + problem.graph.first_number;
  return {.name = "sssp",
          .title = fmt::format("shortest paths in {} from node {}, method {}, partition {}",
                               file_name(options.graph), source, options.method, options.partition),
          .parameters = {{"graph", file_name(options.graph)},
                         {"nodes", node_count},
                         {"arcs", problem.graph.arcs.size()},
                         {"source", source},
                         {"method", options.method},
                         {"partition", options.partition},
                         {"delta", problem.delta}},
          .findings = findings_of(result, problem, options, unreached),
          .value_name = "right_distances",
          .operations = static_cast<double>(problem.graph.arcs.size()),
          .checks = {{"distances as Dijkstra's",
                      static_cast<double>(right_count(found, oracle.distances)),
                      static_cast<double>(node_count)}},
          .tells_wait = true,
          .sequential_seconds = options.speedup ? oracle.seconds : 0};
}

}  // namespace tasuki::sssp
