#include "sssp/dijkstra.hpp"

#include <algorithm>

namespace tasuki::sssp {

void Dijkstra::solve(Node source, std::span<Distance> distances) {
  std::fill(distances.begin(), distances.end(), infinity);
  distances[source] = 0;
  heap_.push({0, source});
  while (!heap_.is_empty()) {
    const auto [distance, node] = heap_.pop();
    if (distance != distances[node]) continue;
    for (std::uint32_t place = begins_[node]; place < begins_[node + 1]; ++place) {
      const Arc arc = arcs_[place];
      const Distance through = distance + arc.weight;
      if (through >= distances[arc.target]) continue;
      distances[arc.target] = through;
      heap_.push({through, arc.target});
    }
  }
}

}  // namespace tasuki::sssp
