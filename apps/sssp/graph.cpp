#include "sssp/graph.hpp"

namespace tasuki::sssp {

Graph::Graph(const EdgeList& list)
    : begins(std::size_t{list.node_count} + 1),
      arcs(list.arcs.size()),
      first_number(list.first_number) {
  for (const Edge& edge : list.arcs) ++begins[edge.source + 1];
  for (Node node = 0; node < list.node_count; ++node) begins[node + 1] += begins[node];
  std::vector<std::uint32_t> places(begins.begin(), begins.end() - 1);
  for (const Edge& edge : list.arcs) arcs[places[edge.source]++] = {edge.target, edge.weight};
}

}  // namespace tasuki::sssp
