#include <metis.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "sssp/partitioning.hpp"

namespace tasuki::sssp {
namespace {

/// Parts that each rank gets at most: with few of them a rank waits until the paths get to its
/// side. (EPYC, two ranks, ms with 16 / 64 / 256 parts: FLA 39.8 / 35.8 / 35.1, NY 9.9 / 9.5 / 9.8:
/// `tasuki bench sssp FLA.gr.xz`.)
constexpr Node most_parts_per_rank = 64;

/// Smaller parts have a long border for their size; the 256 parts of NY above have 516 nodes each.
constexpr Node usual_nodes_per_part = 256;

/// METIS is not made for less; smaller graphs are dealt out node by node.
constexpr Node least_nodes_per_part = 16;

/// The graph without directions, loops and repetitions, as METIS wants it.
struct Neighbours {
  std::vector<idx_t> begins = {0};
  std::vector<idx_t> nodes;
};

Neighbours neighbours_of(const Graph& graph) {
  if (graph.arcs.size() > std::numeric_limits<idx_t>::max() / 2)
    throw partitioning_error("the graph has more arcs than METIS can count");
  EdgeList both;
  both.node_count = graph.node_count();
  for (Node node = 0; node < graph.node_count(); ++node)
    for (const Arc& arc : graph.arcs_of(node)) {
      both.arcs.push_back({node, arc.target, 0});
      both.arcs.push_back({arc.target, node, 0});
    }
  const Graph symmetric(both);
  Neighbours result;
  std::vector<idx_t> of_one;
  for (Node node = 0; node < graph.node_count(); ++node) {
    of_one.clear();
    for (const Arc& arc : symmetric.arcs_of(node))
      if (arc.target != node) of_one.push_back(static_cast<idx_t>(arc.target));
    std::ranges::sort(of_one);
    const auto repeated = std::ranges::unique(of_one);
    result.nodes.insert(result.nodes.end(), of_one.begin(), repeated.begin());
    result.begins.push_back(static_cast<idx_t>(result.nodes.size()));
  }
  return result;
}

}  // namespace

const std::string_view metis_remedy;

std::vector<int> metis_owners(const Graph& graph, int ranks) {
  const Node node_count = graph.node_count();
  std::vector<idx_t> parts(node_count);
  const Node nodes_per_rank = node_count / static_cast<Node>(ranks);
  if (ranks > 1 && nodes_per_rank >= least_nodes_per_part) {
    const Node parts_per_rank =
        std::clamp(nodes_per_rank / usual_nodes_per_part, Node{1}, most_parts_per_rank);
    idx_t part_count = ranks * static_cast<idx_t>(parts_per_rank);
    Neighbours neighbours = neighbours_of(graph);
    idx_t vertex_count = static_cast<idx_t>(node_count);
    idx_t constraint_count = 1;
    idx_t cut = 0;
    if (METIS_PartGraphKway(&vertex_count, &constraint_count, neighbours.begins.data(),
                            neighbours.nodes.data(), nullptr, nullptr, nullptr, &part_count,
                            nullptr, nullptr, nullptr, &cut, parts.data()) != METIS_OK)
      throw partitioning_error("METIS cannot partition the graph");
  } else {
    std::iota(parts.begin(), parts.end(), 0);
  }
  std::vector<int> owners(node_count);
  std::ranges::transform(parts, owners.begin(), [=](idx_t part) { return part % ranks; });
  return owners;
}

}  // namespace tasuki::sssp
