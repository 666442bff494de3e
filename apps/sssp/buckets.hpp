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

  /// Calls `take(entry)` for all of a bucket and what is pushed into it meanwhile.
  template <class Take>
  void drain(Distance number, Take take) {
    std::vector<Entry>& bucket = at(number);
    for (std::size_t place = 0; place < bucket.size(); ++place) {
      const Entry entry = bucket[place];
      take(entry);
    }
    entry_count_ -= bucket.size();
    bucket.clear();
    if (entry_count_ == 0) least_ = infinity;
  }

 private:
  std::vector<Entry>& at(Distance number) noexcept {
    return buckets_[number & (buckets_.size() - 1)];
  }

  Distance delta_;
  std::vector<std::vector<Entry>> buckets_;
  Distance least_ = infinity;  ///< No entry is in one before.
  std::size_t entry_count_ = 0;
};

}  // namespace tasuki::sssp
