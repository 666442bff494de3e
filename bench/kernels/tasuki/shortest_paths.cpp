#include <array>
#include <limits>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "common/mixed.hpp"
#include "kernels.hpp"

namespace tasuki::bench::kernels {
namespace {

struct Edge {
  std::int64_t to;
  std::int64_t length;
};

/// From vertex 0 to this rank's vertices. Vertex v belongs to rank v % size.
std::vector<std::int64_t> distances;
std::int64_t vertices = 0;
bool are_shortest = true;

int owner_of(std::int64_t vertex) { return static_cast<int>(vertex % size()); }
std::int64_t& distance_of(std::int64_t vertex) {
  return distances[static_cast<std::size_t>(vertex / size())];
}

std::array<Edge, 3> edges_of(std::int64_t vertex) {
  constexpr std::uint64_t lengths = 16;
  const std::uint64_t numbers = apps::mixed(static_cast<std::uint64_t>(vertex));
  const auto length = [&](unsigned bits) {
    return static_cast<std::int64_t>(1 + (numbers >> bits) % lengths);
  };
  return {{{(2 * vertex + 1) % vertices, length(0)},
           {(3 * vertex + 1) % vertices, length(8)},
           {(vertex + 1) % vertices, length(16)}}};
}

/// Whoever gets a shorter distance tells those behind it.
void relax(std::int64_t vertex, std::int64_t distance) {
  std::int64_t& own = distance_of(vertex);
  if (own <= distance) return;
  own = distance;
  for (const Edge edge : edges_of(vertex)) {
    post(owner_of(edge.to), relax, edge.to, distance + edge.length);
  }
}

}  // namespace

Measured shortest_paths(std::int64_t own_vertices) {
  vertices = own_vertices * size();
  distances.assign(static_cast<std::size_t>(own_vertices),
                   std::numeric_limits<std::int64_t>::max());
  are_shortest = true;
  barrier();
  const Stopwatch watch;
  if (rank() == 0) relax(0, 0);
  quiesce();
  Measured measured = watch.elapsed(3.0 * static_cast<double>(own_vertices));
  // Each distance is that of some path; no edge makes one shorter.
  for (std::int64_t vertex = rank(); vertex < vertices; vertex += size()) {
    const auto check = [](std::int64_t to, std::int64_t distance) {
      are_shortest &= distance_of(to) <= distance;
    };
    for (const Edge edge : edges_of(vertex)) {
      post(owner_of(edge.to), check, edge.to, distance_of(vertex) + edge.length);
    }
  }
  quiesce();
  measured.is_right = are_shortest;
  return measured;
}

}  // namespace tasuki::bench::kernels
