#include "sssp/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/usage_error.hpp"
#include "sssp/graph_error.hpp"
#include "sssp/method.hpp"

namespace tasuki::sssp {
namespace {

Node checked_source(const Options& options, const Graph& graph) {
  if (graph.node_count() == 0)
    throw graph_error(options.graph, 0, "the graph has no nodes", "take one that has");
  if (options.source < 0) return 0;
  const std::int64_t source = options.source - graph.first_number;
  if (source < 0 || source >= graph.node_count())
    throw graph_error(options.graph, 0, fmt::format("there is no node {}", options.source),
                      fmt::format("--source must be from {} to {}", graph.first_number,
                                  std::int64_t{graph.first_number} + graph.node_count() - 1));
  return static_cast<Node>(source);
}

Weight checked_delta(const Options& options, const Graph& graph) {
  const GraphSummary summary = summary_of(graph);
  if (options.delta == 0) return default_delta(summary);
  if (options.delta < least_delta(summary))
    throw graph_error(options.graph, 0,
                      fmt::format("--delta {} makes too many buckets for weights up to {}",
                                  options.delta, summary.greatest_weight),
                      fmt::format("use --delta {} or more", least_delta(summary)));
  return static_cast<Weight>(options.delta);
}

}  // namespace

Problem::Problem(const Options& options, Exchange& exchange) {
  if (method(options.method).is_sequential && exchange.ranks() > 1)
    throw apps::usage_error(fmt::format(
        "tasuki: sssp: --method {} is for one rank. Remedy: start it with -n 1.", options.method));
  graph = load(options.graph, exchange);
  source = checked_source(options, graph);
  if (method(options.method).has_buckets) delta = checked_delta(options, graph);
  owners = divide(graph, options, exchange);
}

Node Problem::source_on(int rank) const noexcept {
  if (owners[source] != rank) return Search::no_source;
  return static_cast<Node>(std::count(owners.begin(), owners.begin() + source, rank));
}

std::uint64_t Problem::cut() const noexcept {
  std::uint64_t count = 0;
  for (Node node = 0; node < graph.node_count(); ++node)
    for (const Arc& arc : graph.arcs_of(node)) count += owners[node] != owners[arc.target];
  return count;
}

std::vector<Distance> Problem::in_order(std::span<const Distance> by_rank, int ranks) const {
  std::vector<std::size_t> places(static_cast<std::size_t>(ranks) + 1);
  for (const int owner : owners) ++places[static_cast<std::size_t>(owner) + 1];
  for (std::size_t rank = 1; rank < places.size(); ++rank) places[rank] += places[rank - 1];
  std::vector<Distance> result;
  for (const int owner : owners)
    result.push_back(by_rank[places[static_cast<std::size_t>(owner)]++]);
  return result;
}

}  // namespace tasuki::sssp
