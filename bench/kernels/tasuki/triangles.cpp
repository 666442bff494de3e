#include <algorithm>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "kernels.hpp"

namespace tasuki::bench::kernels {
namespace {

/// A vertex has an edge to each of so many before it, so that the triangles can be counted by hand.
constexpr std::int64_t distance_most = 8;

std::vector<std::vector<std::int64_t>> edges;  ///< Of this rank's vertices, to those before.
std::int64_t triangles_count = 0;

int owner_of(std::int64_t vertex) { return static_cast<int>(vertex % size()); }
std::vector<std::int64_t>& edges_of(std::int64_t vertex) {
  return edges[static_cast<std::size_t>(vertex / size())];
}

std::int64_t pairs_of(std::int64_t count) { return count * (count - 1) / 2; }

}  // namespace

Measured triangles(std::int64_t own_vertices) {
  const std::int64_t vertices = own_vertices * size();
  edges.assign(static_cast<std::size_t>(own_vertices), {});
  triangles_count = 0;
  for (std::int64_t vertex = rank(); vertex < vertices; vertex += size()) {
    for (std::int64_t before = std::max<std::int64_t>(0, vertex - distance_most); before < vertex;
         ++before) {
      edges_of(vertex).push_back(before);
    }
  }
  double asked = 0;
  barrier();
  const Stopwatch watch;
  for (std::int64_t vertex = rank(); vertex < vertices; vertex += size()) {
    const auto& own = edges_of(vertex);
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const auto count = [](std::int64_t from, std::int64_t to) {
          const auto& there = edges_of(from);
          triangles_count += std::binary_search(there.begin(), there.end(), to) ? 1 : 0;
        };
        post(owner_of(own[i]), count, own[i], own[j]);
        ++asked;
      }
    }
  }
  quiesce();
  Measured measured = watch.elapsed(asked);
  std::int64_t expected = 0;
  for (std::int64_t vertex = 0; vertex < vertices; ++vertex) {
    expected += pairs_of(std::min(vertex, distance_most));
  }
  measured.is_right = allreduce(triangles_count, Sum{}) == expected;
  return measured;
}

}  // namespace tasuki::bench::kernels
