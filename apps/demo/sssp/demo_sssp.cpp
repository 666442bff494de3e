// Shortest paths: the routines of python/tasuki/data/demo/sssp.idl. The program's argument is the
// file with the graph of the town.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>

#include "demo/served.hpp"
#include "sssp/method.hpp"
#include "sssp/partitioning.hpp"
#include "sssp/problem.hpp"
#include "sssp/tasuki_exchange.hpp"

namespace tasuki::demo {
namespace {

using sssp::Distance;
using sssp::Graph;
using sssp::Problem;
using sssp::TasukiExchange;

/// In errors about a caller's graph.
constexpr const char* callers_graph = "the graph";
/// What callers get for nodes that no path leads to.
constexpr std::int64_t unreachable = -1;

/// Whose graph the routines of the town have: set before any call.
std::string& town_file() {
  static std::string file;
  return file;
}

/// The whole graph on all ranks, read by the first call. Collective.
const Graph& town() {
  static std::unique_ptr<Graph> graph;
  if (graph == nullptr) {
    TasukiExchange exchange(false);
    graph = std::make_unique<Graph>(sssp::load(town_file(), exchange));
  }
  return *graph;
}

/// Throws std::runtime_error that says what is wrong if the arrays are no graph.
Graph checked_graph(std::span<const std::int64_t> begins, std::span<const std::int32_t> targets,
                    std::span<const std::uint32_t> weights) {
  if (begins.size() < 2) throw std::runtime_error("the graph has no nodes");
  if (begins.size() - 1 > sssp::most_nodes || targets.size() > sssp::most_arcs) {
    throw std::runtime_error(
        fmt::format("the graph has {} nodes and {} arcs, and may have {} and {}", begins.size() - 1,
                    targets.size(), sssp::most_nodes, sssp::most_arcs));
  }
  if (begins.front() != 0 || begins.back() != std::ssize(targets)) {
    throw std::runtime_error(fmt::format("begins go from {} to {}, and there are {} targets",
                                         begins.front(), begins.back(), targets.size()));
  }
  const auto descent = std::ranges::is_sorted_until(begins);
  if (descent != begins.end()) {
    throw std::runtime_error(
        fmt::format("begins[{}] is less than the one before", descent - begins.begin()));
  }
  const auto no_node = std::ranges::find_if(
      targets, [&](std::int32_t target) { return target < 0 || target >= std::ssize(begins) - 1; });
  if (no_node != targets.end()) {
    throw std::runtime_error(fmt::format("targets[{}] = {} is no node: there are {}",
                                         no_node - targets.begin(), *no_node, begins.size() - 1));
  }
  Graph graph;
  graph.begins.assign(begins.size(), 0);
  std::ranges::transform(begins, graph.begins.begin(),
                         [](std::int64_t begin) { return static_cast<std::uint32_t>(begin); });
  for (std::size_t k = 0; k < targets.size(); ++k) {
    graph.arcs.push_back({static_cast<sssp::Node>(targets[k]), weights[k]});
  }
  return graph;
}

/// Distances of all nodes on rank 0. Throws std::runtime_error if there is no such source.
void search(const Graph& graph, std::int64_t source, std::span<std::int64_t> distances) {
  if (source < 0 || source >= graph.node_count()) {
    throw std::runtime_error(fmt::format("there is no node {}: they are 0 to {}", source,
                                         std::int64_t{graph.node_count()} - 1));
  }
  TasukiExchange exchange(false);
  sssp::Options options;
  options.graph = callers_graph;
  if (!sssp::partitioning(options.partition).remedy.empty()) options.partition = "block";
  Problem problem;
  problem.graph = graph;
  problem.source = static_cast<sssp::Node>(source);
  problem.delta = sssp::default_delta(sssp::summary_of(graph));
  problem.owners = sssp::divide(graph, options, exchange);
  const sssp::LocalGraph local = problem.part_of(rank(), size());
  sssp::Search state(local, problem.source_on(rank()), exchange);
  sssp::method("delta").make(state, problem.delta)->solve();
  const auto by_rank = exchange.collect(state.distances().first(local.local_count()));
  if (rank() != 0) return;
  std::ranges::transform(
      problem.in_order(by_rank, size()), distances.begin(), [](Distance distance) {
        return distance == sssp::infinity ? unreachable : static_cast<std::int64_t>(distance);
      });
}

/// shortest_paths(begins_count, arcs, begins, targets, weights, source, distances)
void shortest_paths(const Arguments& arguments) {
  const Graph graph =
      checked_graph(arguments.block<const std::int64_t>(2), arguments.block<const std::int32_t>(3),
                    arguments.block<const std::uint32_t>(4));
  search(graph, arguments.scalar<std::int64_t>(5), arguments.block<std::int64_t>(6));
}

/// Throws std::runtime_error if the town has another number of what is counted.
void check_count(const char* what, std::int64_t given_count, std::size_t count) {
  if (given_count == static_cast<std::int64_t>(count)) return;
  throw std::runtime_error(fmt::format("the town has {} {}, not {}", count, what, given_count));
}

/// town_size(nodes, arcs)
void town_size(const Arguments& arguments) {
  arguments.result<std::int64_t>(0) = town().node_count();
  arguments.result<std::int64_t>(1) = static_cast<std::int64_t>(town().arcs.size());
}

/// town_paths(nodes, source, distances)
void town_paths(const Arguments& arguments) {
  check_count("nodes", arguments.scalar<std::int64_t>(0), town().node_count());
  search(town(), arguments.scalar<std::int64_t>(1), arguments.block<std::int64_t>(2));
}

/// town_graph(nodes, arcs, begins, targets, weights)
void town_graph(const Arguments& arguments) {
  check_count("nodes", arguments.scalar<std::int64_t>(0), town().node_count());
  check_count("arcs", arguments.scalar<std::int64_t>(1), town().arcs.size());
  std::ranges::copy(town().begins, arguments.block<std::int64_t>(2).begin());
  std::ranges::transform(town().arcs, arguments.block<std::int32_t>(3).begin(),
                         [](sssp::Arc arc) { return static_cast<std::int32_t>(arc.target); });
  std::ranges::transform(town().arcs, arguments.block<std::uint32_t>(4).begin(),
                         &sssp::Arc::weight);
}

constexpr std::array<tasuki_routine, 4> routines = {{{"shortest_paths", served<shortest_paths>},
                                                     {"town_size", served<town_size>},
                                                     {"town_paths", served<town_paths>},
                                                     {"town_graph", served<town_graph>}}};

}  // namespace
}  // namespace tasuki::demo

int main(int argc, char** argv) {
  if (argc > 1) tasuki::demo::town_file() = argv[1];
  return tasuki::demo::serve_routines(argc, argv, tasuki::demo::routines);
}
