// NPB IS on one rank: ranks all keys ten times, then sorts them to see that the ranks are right.
//
// Algorithm: bucket sort by leading bits; keys move to the owner of their bucket and are counted
// there. (The specification leaves it free: Bailey et al., The NAS Parallel Benchmarks,
// RNR-94-007, 1994, section 2.3.6.) All communication goes through an Exchange; the ranker never
// knows which. Thread-safety: one Ranker per rank; its calls are collective over the ranks of the
// exchange.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <numeric>

#include "npb/common/simulated_work.hpp"
#include "npb/is/buckets.hpp"
#include "npb/is/keys.hpp"
#include "npb/is/rank_table.hpp"
#include "npb/is/result.hpp"

namespace tasuki::npb::is {

/// The communication of IS; all is collective.
template <class E>
concept Exchange = requires(E exchange, std::size_t count, std::span<std::int32_t> sums,
                            std::span<const Key> grouped, std::span<const std::size_t> begins) {
  /// From now on up to `count` keys may arrive here at a time.
  exchange.reserve(count);
  /// Sums over all ranks, in place.
  exchange.sum(sums);
  /// Moves the keys [begins[r], begins[r + 1]) of `grouped` to rank r, but not this rank's
  /// own. Returns: the `count` keys that came from the others, valid until the next `sum`.
  { exchange.move_keys(grouped, begins, count) } -> std::same_as<std::span<const Key>>;
};

template <Exchange E>
class Ranker {
 public:
  Ranker(const Problem& problem, int rank, int ranks, E& exchange)
      : problem_(problem),
        rank_(static_cast<std::size_t>(rank)),
        ranks_(ranks),
        exchange_(exchange),
        places_(part_of({0, problem.key_count()}, rank, ranks)),
        keys_(generate_keys(problem, places_)),
        in_place_(ranks == 1 && problem.key_limit() <= largest_in_place_limit) {
    if (!in_place_) grouped_.resize(keys_.size());
    if (ranks_ > 1) exchange_.reserve(most_keys_of_a_rank());
  }

  /// Spoils one of all keys.
  void perturb() { perturb_keys(problem_, places_, keys_); }

  /// Ranks all keys. Returns: the ranks of those test keys whose values belong to this rank.
  TestRanks rank_keys(int iteration) {
    change_keys(problem_, places_, iteration, keys_);
    Totals totals = own_test_keys();
    if (in_place_) {
      own_ = keys_;
      table_.restart(0, problem_.key_limit());
    } else {
      bring_keys_together(totals);
    }
    table_.count(own_);
    table_.count(received_);
    table_.finish();
    spend_simulated_ns(rank_ns * static_cast<double>(own_.size() + received_.size()) +
                       entry_ns * static_cast<double>(table_.size()));
    return ranks_of(std::span(totals).template last<test_count>());
  }

  /// Puts each key of this rank where the last ranking says.
  Order order() const {
    HugeArray<Key> sorted(own_.size() + received_.size());
    std::fill(sorted.begin(), sorted.end(), Key{-1});
    RankTable next = table_;
    for (const std::span<const Key> keys : {own_, received_})
      for (const Key key : keys) {
        const auto place = static_cast<std::size_t>(next.take(key));
        if (place < sorted.size()) sorted[place] = key;
      }
    return order_of(sorted);
  }

 private:
  /// A single rank's keys are ranked where they are while the table is small. (Xeon, Sapphire
  /// Rapids, 2 MiB of second-level cache; ns per key in place / grouped first: table of 2 MiB
  /// 1.0 / 2.2, 8 MiB 1.9 / 2.7, 32 MiB 4.0 / 2.9.)
  static constexpr Key largest_in_place_limit = Key{1} << 21;

  /// For simulation: a key's way through the phases, and an entry of the table. (Xeon, Sapphire
  /// Rapids, class A, two ranks.)
  static constexpr double bucket_ns = 0.5;
  static constexpr double group_ns = 1.5;
  static constexpr double rank_ns = 1.0;
  static constexpr double entry_ns = 0.4;

  /// Sizes of all buckets, then the values of the test keys: what is summed over the ranks.
  using Totals = std::array<std::int32_t, bucket_count + test_count>;

  /// No sizes yet, and the test keys that are among this rank's keys.
  Totals own_test_keys() const {
    Totals totals{};
    for (std::size_t test = 0; test < test_count; ++test) {
      const std::int64_t place = problem_.tests[test].place;
      if (places_.contains(place))
        totals[bucket_count + test] = keys_[static_cast<std::size_t>(place - places_.begin)];
    }
    return totals;
  }

  /// Moves all keys to the owners of their values; `own_` and `received_` are then this rank's.
  void bring_keys_together(Totals& totals) {
    const auto sizes = std::span(totals).template first<bucket_count>();
    count_buckets(problem_, keys_, sizes);
    spend_simulated_ns(bucket_ns * static_cast<double>(keys_.size()));
    std::array<std::int32_t, bucket_count> own_sizes;
    std::copy(sizes.begin(), sizes.end(), own_sizes.begin());
    exchange_.sum(totals);

    const std::vector<std::size_t> first_buckets = divide_buckets(sizes, ranks_);
    const std::vector<std::size_t> begins =
        group_keys(problem_, keys_, own_sizes, first_buckets, grouped_);
    spend_simulated_ns(group_ns * static_cast<double>(keys_.size()));
    own_ = std::span(grouped_).subspan(begins[rank_], begins[rank_ + 1] - begins[rank_]);
    keys_before_ = keys_in(sizes.first(first_buckets[rank_]));
    const std::int64_t keys_up_to = keys_in(sizes.first(first_buckets[rank_ + 1]));
    if (ranks_ > 1)
      received_ = exchange_.move_keys(
          grouped_, begins, static_cast<std::size_t>(keys_up_to - keys_before_) - own_.size());
    table_.restart(problem_.first_key_of(first_buckets[rank_]),
                   problem_.first_key_of(first_buckets[rank_ + 1]));
  }

  TestRanks ranks_of(std::span<const std::int32_t, test_count> keys) const {
    TestRanks ranks;
    for (std::size_t test = 0; test < test_count; ++test)
      ranks[test] = table_.contains(keys[test]) ? keys_before_ + table_.rank_of(keys[test]) : -1;
    return ranks;
  }

  /// No rank ever gets more: its share ends with the bucket in which the even share would end, and
  /// buckets grow by a few keys at most.
  std::size_t most_keys_of_a_rank() {
    std::array<std::int32_t, bucket_count> sizes{};
    count_buckets(problem_, keys_, sizes);
    exchange_.sum(sizes);
    const std::int64_t largest = *std::max_element(sizes.begin(), sizes.end());
    return static_cast<std::size_t>(problem_.key_count() / ranks_ + largest + 4 * iterations);
  }

  static std::int64_t keys_in(std::span<const std::int32_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  }

  Problem problem_;
  std::size_t rank_;
  int ranks_;
  E& exchange_;
  Range places_;  ///< Of this rank's keys in the unsorted set.
  HugeArray<Key> keys_;
  bool in_place_;
  HugeArray<Key> grouped_;  ///< The same keys, by owner.
  // Of the last ranking: the keys whose values belong to this rank ...
  std::span<const Key> own_;
  std::span<const Key> received_;
  std::int64_t keys_before_ = 0;  ///< ... how many of all keys are smaller ...
  RankTable table_;               ///< ... and their ranks among themselves.
};

}  // namespace tasuki::npb::is
