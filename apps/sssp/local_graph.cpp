#include "sssp/local_graph.hpp"

#include <algorithm>
#include <unordered_map>

namespace tasuki::sssp {

GraphSummary summary_of(const Graph& graph) noexcept {
  GraphSummary summary;
  if (graph.arcs.empty()) return summary;
  double sum = 0;
  for (const Arc& arc : graph.arcs) {
    summary.greatest_weight = std::max(summary.greatest_weight, arc.weight);
    sum += arc.weight;
  }
  summary.mean_weight = sum / static_cast<double>(graph.arcs.size());
  summary.mean_degree =
      static_cast<double>(graph.arcs.size()) / static_cast<double>(graph.node_count());
  return summary;
}

LocalGraph::LocalGraph(const Graph& graph, std::span<const int> owners, int rank_of_this,
                       int rank_count)
    : rank(rank_of_this), ranks(rank_count), summary(summary_of(graph)) {
  std::vector<Node> counts(static_cast<std::size_t>(ranks));
  std::vector<Node> indices(owners.size());
  for (Node node = 0; node < owners.size(); ++node) {
    indices[node] = counts[static_cast<std::size_t>(owners[node])]++;
    if (owners[node] == rank) nodes.push_back(node);
  }
  least_in.assign(nodes.size(), infinity);
  least_out.assign(nodes.size(), infinity);
  std::unordered_map<Node, Node> ghost_numbers;
  begins.push_back(0);
  for (Node node = 0; node < owners.size(); ++node) {
    const bool is_mine = owners[node] == rank;
    for (const auto& [target, weight] : graph.arcs_of(node)) {
      const Node index = indices[target];
      const bool leads_here = owners[target] == rank;
      if (leads_here) least_in[index] = std::min<Distance>(least_in[index], weight);
      if (!is_mine) continue;
      least_out[indices[node]] = std::min<Distance>(least_out[indices[node]], weight);
      if (leads_here) {
        arcs.push_back({index, weight});
        continue;
      }
      const auto number = static_cast<Node>(local_count() + ghosts.size());
      const auto [ghost, is_new] = ghost_numbers.try_emplace(target, number);
      if (is_new) ghosts.push_back({owners[target], index});
      arcs.push_back({ghost->second, weight});
    }
    if (is_mine) begins.push_back(static_cast<std::uint32_t>(arcs.size()));
  }
}

}  // namespace tasuki::sssp
