// The state of a search on one rank that all methods share: distances so far, relaxing, and the
// agreement of the ranks between phases.
//
// Used by the methods. Thread-safety: one per rank.
#pragma once

#include <algorithm>
#include <array>

#include "sssp/outbox.hpp"

namespace tasuki::sssp {

class Search {
 public:
  /// `source` is the node's index on the rank that owns it; elsewhere it is no_source.
  static constexpr Node no_source = most_nodes;

  Search(const LocalGraph& graph, Node source, Exchange& exchange)
      : graph_(graph),
        source_(source),
        exchange_(exchange),
        outbox_(graph),
        distances_(graph.known_count()) {}

  const LocalGraph& graph() const noexcept { return graph_; }
  Node source() const noexcept { return source_; }
  /// Of the rank's own nodes, then of ghosts, as far as this rank knows.
  std::span<Distance> distances() noexcept { return distances_; }

  /// Forgets all distances but the source's. Returns: is the source here?
  bool begin() {
    std::fill(distances_.begin(), distances_.end(), infinity);
    if (source_ == no_source) return false;
    distances_[source_] = 0;
    return true;
  }

  /// Relaxes the arcs of `node`; calls `improved(node, distance)` for nodes of this rank, and has
  /// others told by the next `agree`.
  template <class Improved>
  void relax(Node node, Distance distance, Improved improved) {
    const Node local_count = graph_.local_count();
    for (std::uint32_t place = graph_.begins[node]; place < graph_.begins[node + 1]; ++place) {
      const Arc arc = graph_.arcs[place];
      const Distance through = distance + arc.weight;
      if (through >= distances_[arc.target]) continue;
      distances_[arc.target] = through;
      if (arc.target < local_count) {
        improved(arc.target, through);
      } else {
        outbox_.add(arc.target);
      }
    }
  }

  /// Have the processor fetch what `relax` reads first, and what it finds there.
  void fetch_node(Node node) const noexcept {
    __builtin_prefetch(&graph_.begins[node]);
    __builtin_prefetch(&distances_[node]);
  }
  void fetch_arcs(Node node) const noexcept {
    __builtin_prefetch(graph_.arcs.data() + graph_.begins[node]);
  }

  /// Has all requests reach their owners, who call `improved` as in `relax`. Returns: the least of
  /// each of `keys()`, an array, over all ranks after that. Collective.
  template <class Keys, class Improved>
  auto agree(Keys keys, Improved improved) {
    for (;;) {
      auto least = keys();
      std::array<Distance, least.size() + 1> values;
      std::copy(least.begin(), least.end(), values.begin());
      values.back() = infinity - outbox_.largest_count();  // So that the minimum is the largest.
      exchange_.minimise(values);
      std::copy(values.begin(), values.end() - 1, least.begin());
      const std::size_t block = infinity - values.back();
      if (block == 0) return least;
      for (const auto& [distance, node] : outbox_.exchange(block, distances_, exchange_)) {
        if (distance == infinity || distance >= distances_[node]) continue;
        distances_[node] = distance;
        improved(node, distance);
      }
    }
  }

 private:
  const LocalGraph& graph_;
  Node source_;
  Exchange& exchange_;
  Outbox outbox_;
  apps::HugeArray<Distance> distances_;
};

}  // namespace tasuki::sssp
