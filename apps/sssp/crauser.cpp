// Dijkstra's algorithm in phases: all nodes whose distance is known to be final are settled at
// once. What is known is the criterion: IN, OUT, or either.
//
// Source: A. Crauser, K. Mehlhorn, U. Meyer, P. Sanders, A parallelization of Dijkstra's shortest
// path algorithm, MFCS 1998. With M the least tentative distance of a queued node anywhere, L the
// least sum of a queued node's tentative distance and the least weight of its arcs, a queued node v
// is final by OUT if tent(v) <= L, by IN if tent(v) - (least weight of an arc to v) <= M. The
// number of phases does not depend on the number of ranks.

#include <algorithm>

#include "common/simulated_work.hpp"
#include "sssp/heap.hpp"
#include "sssp/method.hpp"

namespace tasuki::sssp {
namespace {

template <bool in, bool out>
class Crauser : public Solver {
 public:
  explicit Crauser(Search& search)
      : search_(search), graph_(search.graph()), settled_(graph_.local_count()) {}

  std::uint64_t solve() override {
    forget();
    const auto enqueue = [this](Node node, Distance distance) { this->enqueue(node, distance); };
    if (search_.begin()) enqueue(search_.source(), 0);
    for (std::uint64_t phases = 0;; ++phases) {
      const auto [least, least_out] = search_.agree([this] { return keys(); }, enqueue);
      if (least == infinity) return phases;
      collect_final(least, least_out);
      for (const Node node : final_) search_.relax(node, search_.distances()[node], enqueue);
      apps::spend_simulated_ns(settle_ns * static_cast<double>(final_.size()));
    }
  }

 private:
  /// For simulation: to settle a node and relax its arcs. (EPYC, roads of New York, IN and OUT, one
  /// rank: processor time of five searches less that of one.)
  static constexpr double settle_ns = 190;

  void forget() {
    std::ranges::fill(settled_, false);
    for (Heap* heap : {&distance_heap_, &out_heap_, &in_heap_}) heap->clear();
  }

  /// Each of these orders nodes of a distance in one of the heaps.
  static Distance by_distance(const LocalGraph&, Node, Distance distance) { return distance; }
  static Distance by_out(const LocalGraph& graph, Node node, Distance distance) {
    return graph.least_out[node] == infinity ? infinity : distance + graph.least_out[node];
  }
  static Distance by_in(const LocalGraph& graph, Node node, Distance distance) {
    return distance - std::min(distance, graph.least_in[node]);  // The source may have less.
  }

  void enqueue(Node node, Distance distance) {
    distance_heap_.push({distance, node});
    if constexpr (out) out_heap_.push({by_out(graph_, node, distance), node});
    if constexpr (in) in_heap_.push({by_in(graph_, node, distance), node});
  }

  template <class Key>
  bool holds(const Heap::Entry& entry, Key key) {
    return !settled_[entry.node] &&
           entry.key == key(graph_, entry.node, search_.distances()[entry.node]);
  }

  /// The least key that still holds.
  template <class Key>
  Distance least(Heap& heap, Key key) {
    while (!heap.is_empty() && !holds(heap.least(), key)) heap.pop();
    return heap.is_empty() ? infinity : heap.least().key;
  }

  std::array<Distance, 2> keys() {
    Distance least_out = infinity;
    if constexpr (out) least_out = least(out_heap_, by_out);
    return {least(distance_heap_, by_distance), least_out};
  }

  template <class Key>
  void collect_final(Heap& heap, Key key, Distance most) {
    while (!heap.is_empty() && heap.least().key <= most) {
      const Heap::Entry entry = heap.pop();
      if (!holds(entry, key)) continue;
      settled_[entry.node] = true;
      final_.push_back(entry.node);
    }
  }

  void collect_final(Distance least, Distance least_out) {
    final_.clear();
    if constexpr (out) collect_final(distance_heap_, by_distance, least_out);
    if constexpr (in) collect_final(in_heap_, by_in, least);
  }

  Search& search_;
  const LocalGraph& graph_;
  std::vector<char> settled_;
  Heap distance_heap_;
  Heap out_heap_;
  Heap in_heap_;
  std::vector<Node> final_;
};

}  // namespace

std::unique_ptr<Solver> make_in(Search& search, Weight) {
  return std::make_unique<Crauser<true, false>>(search);
}

std::unique_ptr<Solver> make_out(Search& search, Weight) {
  return std::make_unique<Crauser<false, true>>(search);
}

std::unique_ptr<Solver> make_both(Search& search, Weight) {
  return std::make_unique<Crauser<true, true>>(search);
}

}  // namespace tasuki::sssp
