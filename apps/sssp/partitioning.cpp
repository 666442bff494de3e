#include "sssp/partitioning.hpp"

#include <algorithm>
#include <array>

#include "common/partition.hpp"

namespace tasuki::sssp {

std::vector<int> block_owners(const Graph& graph, int ranks) {
  std::vector<int> owners(graph.node_count());
  for (int rank = 0; rank < ranks; ++rank)
    std::ranges::fill(apps::slice(owners, apps::part_of({0, graph.node_count()}, rank, ranks)),
                      rank);
  return owners;
}

std::span<const Partitioning> partitionings() {
  static const std::array<Partitioning, 2> all = {{
      {"block", "consecutive nodes", block_owners, ""},
      {"metis", "few arcs between ranks, by METIS", metis_owners, metis_remedy},
  }};
  return all;
}

const Partitioning& partitioning(std::string_view name) {
  return *std::ranges::find(partitionings(), name, &Partitioning::name);
}

}  // namespace tasuki::sssp
