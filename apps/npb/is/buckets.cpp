#include "npb/is/buckets.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "npb/is/key_stream.hpp"

namespace tasuki::npb::is {
namespace {

/// Keys are scattered to this many places or more, a few per rank. With 64 the places written to
/// stay within the first-level TLB; with 1024, one per bucket, class C takes 1.9 times as long.
/// With fewer, a key often waits for the one before, which has just moved the same cursor.
/// (Xeon, Sapphire Rapids: nanoseconds per key at 4, 16, 64, 256, 1024 groups, whole iteration:
/// 4.4, 3.5, 2.9, 4.4, 5.5.)
constexpr std::size_t group_count_target = 64;

/// For each bucket the number of its group; groups are consecutive and within one rank.
struct Groups {
  std::array<std::uint16_t, bucket_count> of_bucket{};
  std::vector<std::size_t> first_of_rank;  ///< And their number at the end.
};

Groups make_groups(std::span<const std::size_t> first_buckets) {
  const std::size_t ranks = first_buckets.size() - 1;
  const std::size_t most_per_rank = std::max<std::size_t>(1, group_count_target / ranks);
  Groups groups;
  groups.first_of_rank.push_back(0);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::size_t first = first_buckets[rank];
    const std::size_t buckets = first_buckets[rank + 1] - first;
    const std::size_t count = std::min(most_per_rank, buckets);
    for (std::size_t bucket = 0; bucket < buckets; ++bucket)
      groups.of_bucket[first + bucket] =
          static_cast<std::uint16_t>(groups.first_of_rank.back() + bucket * count / buckets);
    groups.first_of_rank.push_back(groups.first_of_rank.back() + count);
  }
  return groups;
}

}  // namespace

void count_buckets(const Problem& problem, std::span<const Key> keys,
                   std::span<std::int32_t> sizes) {
  // Four counters per bucket: equal neighbours do not wait for each other's increment.
  constexpr std::size_t counters = 4;
  std::array<std::array<std::int32_t, bucket_count>, counters> counts{};
  const int shift = problem.bucket_shift();
  for_each_key(keys, [&](Key key, std::size_t position) {
    ++counts[position % counters][static_cast<std::size_t>(key >> shift)];
  });
  for (const auto& part : counts)
    for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) sizes[bucket] += part[bucket];
}

std::vector<std::size_t> divide_buckets(std::span<const std::int32_t> sizes, int ranks) {
  const std::int64_t total = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  std::vector<std::size_t> first_buckets{0};
  std::int64_t before = 0;
  std::size_t bucket = 0;
  for (int rank = 1; rank < ranks; ++rank) {
    while (bucket < sizes.size() && before * ranks < total * rank) before += sizes[bucket++];
    first_buckets.push_back(bucket);
  }
  first_buckets.push_back(sizes.size());
  return first_buckets;
}

std::vector<std::size_t> group_keys(const Problem& problem, std::span<const Key> keys,
                                    std::span<const std::int32_t> sizes,
                                    std::span<const std::size_t> first_buckets,
                                    std::span<Key> grouped) {
  const Groups groups = make_groups(first_buckets);
  std::vector<std::size_t> begins(groups.first_of_rank.back() + 1, 0);
  for (std::size_t bucket = 0; bucket < bucket_count; ++bucket)
    begins[groups.of_bucket[bucket] + 1u] += static_cast<std::size_t>(sizes[bucket]);
  std::partial_sum(begins.begin(), begins.end(), begins.begin());

  std::vector<Key*> cursors;
  for (const std::size_t begin : begins) cursors.push_back(grouped.data() + begin);
  const int shift = problem.bucket_shift();
  for_each_key(keys, [&, cursor = cursors.data(), group = groups.of_bucket.data()](
                         Key key, std::size_t) { *cursor[group[key >> shift]]++ = key; });

  std::vector<std::size_t> begins_of_ranks;
  for (const std::size_t group : groups.first_of_rank) begins_of_ranks.push_back(begins[group]);
  return begins_of_ranks;
}

}  // namespace tasuki::npb::is
