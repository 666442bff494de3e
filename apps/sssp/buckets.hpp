// Nodes by distance, in buckets of equal width that are used again in a circle.
//
// Used by delta-stepping. Thread-safety: as std::vector.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "sssp/graph.hpp"

namespace tasuki::sssp {

class Buckets {
 public:
  struct Entry {
    Distance distance = 0;
    Node node = 0;
  };

  /// Buckets of width `delta`, as many as arcs of `greatest_weight` can reach from one.
  Buckets(Weight delta, Weight greatest_weight)
      : delta_(delta), buckets_(std::bit_ceil(count(delta, greatest_weight))) {}

  static std::size_t count(Weight delta, Weight greatest_weight) noexcept {
    return std::size_t{greatest_weight} / delta + 2;
  }

  /// Requires: in the bucket being taken, or behind it no farther than an arc leads.
  void push(Node node, Distance distance) {
    const Distance number = distance / delta_;
    at(number).push_back({distance, node});
    least_ = std::min(least_, number);
    ++entry_count_;
  }

  /// Returns: the number of the first bucket that is not empty; infinity if all are.
  Distance least() noexcept {
    if (entry_count_ == 0) return infinity;
    while (at(least_).empty()) ++least_;
    return least_;
  }

  /// Calls `visitor.take(entry)` for all of a bucket and what is pushed into it meanwhile; some
  /// entries before that `visitor.fetch_node(entry)`, and then `visitor.fetch_arcs(entry)`, have
  /// the processor fetch what `take` will need.
  template <class Visitor>
  void drain(Distance number, Visitor& visitor) {
    std::vector<Entry>& bucket = at(number);
    for (std::size_t place = 0; place < bucket.size(); ++place) {
      if (place + node_distance < bucket.size()) visitor.fetch_node(bucket[place + node_distance]);
      if (place + arcs_distance < bucket.size()) visitor.fetch_arcs(bucket[place + arcs_distance]);
      const Entry entry = bucket[place];
      visitor.take(entry);
    }
    entry_count_ -= bucket.size();
    bucket.clear();
    if (entry_count_ == 0) least_ = infinity;
  }

 private:
  /// How many entries ahead is fetched. (EPYC, two ranks, FLA and NY, ms: nothing fetched 39 and
  /// 9.2; node and arcs 6 and 3 ahead 28.6 and 8.5, 12 and 6 29.3 and 7.3, 24 and 12 24.4 and 7.4,
  /// 40 and 20 23.7 and 7.7: `tasuki bench sssp FLA.gr.xz`.)
  static constexpr std::size_t node_distance = 24;
  static constexpr std::size_t arcs_distance = 12;

  std::vector<Entry>& at(Distance number) noexcept {
    return buckets_[number & (buckets_.size() - 1)];
  }

  Distance delta_;
  std::vector<std::vector<Entry>> buckets_;
  Distance least_ = infinity;  ///< No entry is in one before.
  std::size_t entry_count_ = 0;
};

}  // namespace tasuki::sssp
