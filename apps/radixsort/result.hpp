// What a rank of the radix sort hands to rank 0, and the report made of it.
//
// Thread-safety: values and pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/report.hpp"
#include "radixsort/keys.hpp"
#include "radixsort/options.hpp"

namespace tasuki::radixsort {

/// Trivially copyable: it travels as it is.
struct Result {
  std::uint64_t hash_before = 0;  ///< `hash_of` this rank's keys before ...
  std::uint64_t hash_after = 0;   ///< ... and after the sort.
  std::int64_t key_count = 0;
  std::int64_t misplaced = 0;  ///< Keys smaller than the one before.
  Key smallest = 0;
  Key largest = 0;
  apps::Measurement measurement;
};

/// Checks a rank's keys after the sort. Returns: all but `hash_before` and the measurement.
Result result_of(std::span<const Key> sorted) noexcept;

/// Checks that the ranks' keys continue each other in order and are the keys of before. `results`
/// are by rank.
apps::Report report_of(const std::vector<Result>& results, const Options& options);

}  // namespace tasuki::radixsort
