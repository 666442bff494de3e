// A directed graph with weights, as it is read and as it is searched.
//
// Used by the readers, the partitioning and the searches. Thread-safety: values; reading is safe
// from any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tasuki::sssp {

using Node = std::uint32_t;  ///< From 0 on, whatever the file calls it.
using Weight = std::uint32_t;
/// No sum of the weights of a path exceeds it: most_nodes * most_weight < infinity.
using Distance = std::uint64_t;

constexpr Node most_nodes = (Node{1} << 31) - 1;
constexpr std::uint64_t most_arcs = std::numeric_limits<std::uint32_t>::max();
constexpr Weight most_weight = std::numeric_limits<Weight>::max();
/// Of what cannot be reached. Positive as a signed number too, because MPI_MIN of MPICH 4.0.2 takes
/// unsigned numbers for signed ones.
constexpr Distance infinity = std::numeric_limits<std::int64_t>::max();

/// An arc by itself.
struct Edge {
  Node source = 0;
  Node target = 0;
  Weight weight = 0;

  bool operator==(const Edge&) const = default;
};

/// A graph in the order of its file.
struct EdgeList {
  Node node_count = 0;
  Node first_number = 0;  ///< What the file calls node 0.
  std::vector<Edge> arcs;
};

/// An arc where its source is known.
struct Arc {
  Node target = 0;
  Weight weight = 0;

  bool operator==(const Arc&) const = default;
};

/// The arcs by their sources. Trivially copyable elements: it travels as it is.
struct Graph {
  Graph() = default;
  /// Requires: all nodes < list.node_count, at most most_arcs arcs. Arcs of a node keep their
  /// order.
  explicit Graph(const EdgeList& list);

  Node node_count() const noexcept { return static_cast<Node>(begins.size() - 1); }
  std::span<const Arc> arcs_of(Node node) const noexcept {
    return std::span(arcs).subspan(begins[node], begins[node + 1] - begins[node]);
  }

  std::vector<std::uint32_t> begins = {0};  ///< By node, of its arcs; and the end of the last.
  std::vector<Arc> arcs;
  Node first_number = 0;
};

}  // namespace tasuki::sssp
