// Dijkstra's algorithm with a heap on one rank: what all other methods must agree with, and what
// speed-ups are measured against.
//
// Source: E. W. Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1,
// 1959; the heap holds outdated entries, which are dropped when they come up. Thread-safety: one
// Dijkstra per thread.
#pragma once

#include "sssp/heap.hpp"

namespace tasuki::sssp {

class Dijkstra {
 public:
  /// Arcs by their sources, as in Graph.
  Dijkstra(std::span<const std::uint32_t> begins, std::span<const Arc> arcs) noexcept
      : begins_(begins), arcs_(arcs) {}

  /// Sets the distance of every node from `source`, infinity where it cannot be reached.
  /// Requires: one distance for each node.
  void solve(Node source, std::span<Distance> distances);

 private:
  std::span<const std::uint32_t> begins_;
  std::span<const Arc> arcs_;
  Heap heap_;
};

}  // namespace tasuki::sssp
