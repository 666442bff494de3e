// Ranking by moving keys: each key goes to the rank that owns its value and is counted there.
//
// Bucket sort by leading bits, as in the reference implementation (Bailey et al., The NAS Parallel
// Benchmarks, RNR-94-007, 1994, section 2.3.6, leaves the algorithm free). Each rank sends its
// keys, so this way is the better one where a rank has fewer keys than there are values, or where
// a table of all values does not fit the cache. Called by the Ranker. Thread-safety: one per rank;
// calls are collective.
#pragma once

#include <algorithm>
#include <array>

#include "common/simulated_work.hpp"
#include "npb/is/owned_keys.hpp"
#include "npb/is/work.hpp"

namespace tasuki::npb::is {

template <Exchange E>
class ByKeys {
 public:
  ByKeys(const Problem& problem, int rank, int ranks, E& exchange, std::span<const Key> keys)
      : problem_(problem),
        rank_(static_cast<std::size_t>(rank)),
        ranks_(ranks),
        exchange_(exchange),
        grouped_(keys.size()) {
    if (ranks_ > 1) exchange_.reserve(most_keys_of_a_rank(keys));
  }

  /// Ranks `keys`, and sums `tests` over all ranks.
  void rank(std::span<const Key> keys, std::span<std::int32_t, test_count> tests) {
    std::array<std::int32_t, bucket_count + test_count> totals{};
    const auto all_sizes = std::span(totals).template first<bucket_count>();
    const auto all_tests = std::span(totals).template last<test_count>();
    count_buckets(problem_, keys, all_sizes);
    spend_simulated_ns(bucket_ns * static_cast<double>(keys.size()));
    BucketSizes sizes;
    std::copy(all_sizes.begin(), all_sizes.end(), sizes.begin());
    std::copy(tests.begin(), tests.end(), all_tests.begin());
    exchange_.sum(totals);
    std::copy(all_tests.begin(), all_tests.end(), tests.begin());

    const std::vector<std::size_t> first_buckets = divide_buckets(all_sizes, ranks_);
    spend_simulated_ns(group_ns * static_cast<double>(keys.size()));
    owned_ = bring_keys_together(problem_, keys, sizes, all_sizes, first_buckets, rank_, exchange_,
                                 std::span<Key>(grouped_));
    table_.restart(problem_.first_key_of(first_buckets[rank_]),
                   problem_.first_key_of(first_buckets[rank_ + 1]));
    table_.count(owned_.own);
    table_.count(owned_.received);
    table_.finish();
    spend_simulated_ns(rank_ns * static_cast<double>(owned_.size()) +
                       entry_ns * static_cast<double>(table_.size()));
  }

  const RankTable& table() const noexcept { return table_; }
  /// How many keys belong to lower ranks.
  std::int64_t keys_before() const noexcept { return owned_.keys_before; }
  Order order(std::span<const Key> /*keys*/) { return order_of(owned_, table_); }

 private:
  /// No rank ever gets more: its share ends with the bucket in which the even share would end, and
  /// buckets grow by a few keys at most.
  std::size_t most_keys_of_a_rank(std::span<const Key> keys) {
    BucketSizes sizes{};
    count_buckets(problem_, keys, sizes);
    exchange_.sum(sizes);
    const std::int64_t largest = *std::max_element(sizes.begin(), sizes.end());
    return static_cast<std::size_t>(problem_.key_count() / ranks_ + largest + 4 * iterations);
  }

  Problem problem_;
  std::size_t rank_;
  int ranks_;
  E& exchange_;
  HugeArray<Key> grouped_;  ///< This rank's keys, by owner.
  OwnedKeys owned_;         ///< Of the last ranking, as is ...
  RankTable table_;         ///< ... this.
};

}  // namespace tasuki::npb::is
