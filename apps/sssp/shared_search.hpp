// Delta-stepping by the threads of one process on one graph in shared memory: the baseline that
// the search over ranks is compared with.
//
// Source: U. Meyer, P. Sanders, Delta-stepping: a parallelizable shortest path algorithm,
// J. Algorithms 49, 2003; with bucket fusion: Y. Zhang et al., Optimizing ordered graph algorithms
// with GraphIt, CGO 2020. Called by sssp_openmp.cpp. Thread-safety: one search at a time.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "common/huge_array.hpp"
#include "sssp/graph.hpp"

namespace tasuki::sssp {

class SharedSearch {
 public:
  /// `delta` is the width of a bucket.
  SharedSearch(const Graph& graph, Weight delta);

  /// Sets the distances to those from `source`, on as many threads as OpenMP has.
  /// Returns: how often the threads agreed on the next bucket.
  std::uint64_t solve(Node source);
  std::span<Distance> distances() noexcept { return distances_; }

 private:
  /// One thread's nodes, by number of the bucket modulo the number of bins.
  using Bins = std::vector<std::vector<Node>>;

  static std::vector<Node>& bin(Bins& bins, Distance number) noexcept {
    return bins[number & (bins.size() - 1)];
  }
  Distance distance_of(Node node) const noexcept;
  void relax(Node node, Bins& bins);
  void take_shared(Bins& bins, std::uint64_t phase);
  void fuse(Bins& bins, Distance number);
  void propose_next(Bins& bins, std::uint64_t phase);
  void hand_over(Bins& bins, std::uint64_t phase);

  apps::HugeArray<std::uint32_t> begins_;  ///< As of Graph.
  apps::HugeArray<Arc> arcs_;
  Weight delta_;
  apps::HugeArray<Distance> distances_;
  std::vector<Bins> bins_;             ///< By thread; empty between searches.
  apps::HugeArray<Node> frontier_;     ///< The bucket that all threads take from.
  std::array<std::size_t, 2> ends_{};  ///< Of the frontier in this phase, and in the next.
  std::array<Distance, 2> numbers_{};  ///< Of their buckets.
};

}  // namespace tasuki::sssp
