// Buckets: how keys are divided among the ranks, and brought into the order of their owners.
//
// Called by the Ranker once per iteration. Thread-safety: pure functions on their arguments.
#pragma once

#include <span>
#include <vector>

#include "npb/is/problem.hpp"

namespace tasuki::npb::is {

/// Adds to sizes[b] the number of `keys` in bucket b. Requires: bucket_count sizes.
void count_buckets(const Problem& problem, std::span<const Key> keys,
                   std::span<std::int32_t> sizes);

/// Which buckets belong to which rank: consecutive ones, so that all have about the same number of
/// keys. `sizes` are those of the whole set.
/// Returns: the first bucket of each rank, and bucket_count at the end.
std::vector<std::size_t> divide_buckets(std::span<const std::int32_t> sizes, int ranks);

/// Copies `keys` to `grouped`, ordered by owner, and for each owner roughly by value, so that
/// ranking them walks through its table instead of jumping. `sizes` are those of `keys`.
/// Returns: where each rank's keys begin in `grouped`, and their number at the end.
std::vector<std::size_t> group_keys(const Problem& problem, std::span<const Key> keys,
                                    std::span<const std::int32_t> sizes,
                                    std::span<const std::size_t> first_buckets,
                                    std::span<Key> grouped);

}  // namespace tasuki::npb::is
