// The keys whose values belong to one rank, brought together from all ranks.
//
// Called by the ways of ranking: by_keys.hpp in every iteration, by_counts.hpp for the final sort.
// Thread-safety: a pure function on its arguments; collective over the ranks of the exchange.
#pragma once

#include <algorithm>
#include <numeric>

#include "common/huge_array.hpp"
#include "npb/is/buckets.hpp"
#include "npb/is/exchange.hpp"
#include "npb/is/rank_table.hpp"
#include "npb/is/result.hpp"

namespace tasuki::npb::is {

using BucketSizes = std::array<std::int32_t, bucket_count>;

inline std::int64_t keys_in(std::span<const std::int32_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
}

struct OwnedKeys {
  std::span<const Key> own;       ///< That were here ...
  std::span<const Key> received;  ///< ... and that came from others.
  std::int64_t keys_before = 0;   ///< How many of all keys belong to lower ranks.

  std::size_t size() const noexcept { return own.size() + received.size(); }
};

/// `sizes` are the buckets' among `keys`, `all_sizes` among the keys of all ranks, `first_buckets`
/// the first bucket of each rank, and bucket_count at the end. `grouped` gets `keys` by owner.
template <Exchange E>
OwnedKeys bring_keys_together(const Problem& problem, std::span<const Key> keys,
                              std::span<const std::int32_t> sizes,
                              std::span<const std::int32_t> all_sizes,
                              std::span<const std::size_t> first_buckets, std::size_t rank,
                              E& exchange, std::span<Key> grouped) {
  const std::vector<std::size_t> begins = group_keys(problem, keys, sizes, first_buckets, grouped);
  OwnedKeys owned;
  owned.own = grouped.subspan(begins[rank], begins[rank + 1] - begins[rank]);
  owned.keys_before = keys_in(all_sizes.first(first_buckets[rank]));
  const std::int64_t keys_up_to = keys_in(all_sizes.first(first_buckets[rank + 1]));
  if (first_buckets.size() > 2) {
    const auto count = static_cast<std::size_t>(keys_up_to - owned.keys_before);
    owned.received = exchange.move_keys(grouped, begins, count - owned.own.size());
  }
  return owned;
}

/// Puts each of `keys` where `table` says, from `keys.keys_before` on.
inline Order order_of(const OwnedKeys& keys, RankTable table) {
  HugeArray<Key> sorted(keys.size());
  std::fill(sorted.begin(), sorted.end(), Key{-1});
  for (const std::span<const Key> part : {keys.own, keys.received})
    for (const Key key : part) {
      const auto place = static_cast<std::size_t>(table.take(key));
      if (place < sorted.size()) sorted[place] = key;
    }
  return order_of(sorted);
}

}  // namespace tasuki::npb::is
