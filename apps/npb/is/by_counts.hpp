// Ranking by summing counts: each rank counts its own keys, and the counts are summed by value.
//
// Each rank owns a range of values and gets the sums for these; keys stay where they are. A rank
// sends as many counts as there are values, so this way is the better one where a rank has more
// keys than that. With one rank nothing is sent. Called by the Ranker. Thread-safety: one per rank;
// calls are collective.
#pragma once

#include <algorithm>

#include "common/partition.hpp"
#include "common/simulated_work.hpp"
#include "npb/is/owned_keys.hpp"
#include "npb/is/work.hpp"

namespace tasuki::npb::is {

template <Exchange E>
class ByCounts {
 public:
  ByCounts(const Problem& problem, int rank, int ranks, E& exchange)
      : problem_(problem),
        rank_(static_cast<std::size_t>(rank)),
        ranks_(static_cast<std::size_t>(ranks)),
        exchange_(exchange) {
    for (int part = 0; part < ranks; ++part)
      first_buckets_.push_back(
          static_cast<std::size_t>(part_of({0, bucket_count}, part, ranks).begin));
    first_buckets_.push_back(bucket_count);
    for (std::size_t part = 0; part < ranks_; ++part)
      part_sizes_.push_back(
          static_cast<std::size_t>(problem.first_key_of(first_buckets_[part + 1]) -
                                   problem.first_key_of(first_buckets_[part])));
  }

  /// Ranks `keys`, and sums `tests` over all ranks.
  void rank(std::span<const Key> keys, std::span<std::int32_t, test_count> tests) {
    table_.restart(problem_.first_key_of(first_buckets_[rank_]),
                   problem_.first_key_of(first_buckets_[rank_ + 1]));
    if (ranks_ == 1) {
      table_.count(keys);
    } else {
      counts_.restart(0, problem_.key_limit());
      counts_.count(keys);
      exchange_.sum_parts(counts_.entries(), table_.entries(), part_sizes_);
    }
    spend_simulated_ns(rank_ns * static_cast<double>(keys.size()) +
                       entry_ns * static_cast<double>(counts_.size() + table_.size()));
    std::vector<std::int32_t> totals(ranks_ + test_count);
    totals[rank_] = static_cast<std::int32_t>(table_.finish());
    const auto all_tests = std::span(totals).template last<test_count>();
    std::copy(tests.begin(), tests.end(), all_tests.begin());
    exchange_.sum(totals);
    std::copy(all_tests.begin(), all_tests.end(), tests.begin());
    keys_before_ = keys_in(std::span(totals).first(rank_));
  }

  const RankTable& table() const noexcept { return table_; }
  /// How many keys belong to lower ranks.
  std::int64_t keys_before() const noexcept { return keys_before_; }

  /// Moves the keys to their owners at last, to see that they are in order.
  Order order(std::span<const Key> keys) {
    BucketSizes sizes{};
    count_buckets(problem_, keys, sizes);
    BucketSizes all_sizes = sizes;
    exchange_.sum(all_sizes);
    if (ranks_ > 1) exchange_.reserve(most_keys_of_a_rank(all_sizes));
    HugeArray<Key> grouped(keys.size());
    return order_of(bring_keys_together(problem_, keys, sizes, all_sizes, first_buckets_, rank_,
                                        exchange_, std::span<Key>(grouped)),
                    table_);
  }

 private:
  std::size_t most_keys_of_a_rank(std::span<const std::int32_t> all_sizes) const {
    std::int64_t most = 0;
    for (std::size_t part = 0; part < ranks_; ++part)
      most = std::max(most,
                      keys_in(all_sizes.subspan(first_buckets_[part],
                                                first_buckets_[part + 1] - first_buckets_[part])));
    return static_cast<std::size_t>(most);
  }

  Problem problem_;
  std::size_t rank_;
  std::size_t ranks_;
  E& exchange_;
  std::vector<std::size_t> first_buckets_;  ///< Of each rank, and their number at the end.
  std::vector<std::size_t> part_sizes_;     ///< Values that belong to each rank.
  RankTable counts_;                        ///< Of this rank's keys, for all values.
  RankTable table_;                         ///< Of all ranks' keys, for this rank's values.
  std::int64_t keys_before_ = 0;
};

}  // namespace tasuki::npb::is
