#include "radixsort/result.hpp"

#include <fmt/format.h>

#include "radixsort/digit.hpp"

namespace tasuki::radixsort {

Result result_of(std::span<const Key> sorted) noexcept {
  Result result;
  result.hash_after = hash_of(sorted);
  result.key_count = static_cast<std::int64_t>(sorted.size());
  if (sorted.empty()) return result;
  result.smallest = sorted.front();
  result.largest = sorted.back();
  for (std::size_t index = 1; index < sorted.size(); ++index)
    result.misplaced += sorted[index] < sorted[index - 1];
  return result;
}

apps::Report report_of(const std::vector<Result>& results, const Options& options) {
  std::int64_t key_count = 0;
  std::int64_t misplaced = 0;
  std::uint64_t hash_difference = 0;
  Key largest = 0;
  for (const Result& result : results) {
    hash_difference += result.hash_after - result.hash_before;
    misplaced += result.misplaced;
    if (result.key_count == 0) continue;
    misplaced += key_count > 0 && result.smallest < largest;
    largest = result.largest;
    key_count += result.key_count;
  }
  const auto wanted = static_cast<double>(options.key_count);
  return {.name = "radixsort",
          .title = fmt::format("radix sort of {} keys, radix {}", options.key_count, options.radix),
          .parameters = {{"keys", options.key_count},
                         {"radix", options.radix},
                         {"passes", digit_count(options.radix)}},
          .value_name = "count",
          .operations = wanted,
          .checks = {{"keys sorted", static_cast<double>(key_count), wanted},
                     {"keys out of order", static_cast<double>(misplaced), 0},
                     {"difference of the keys' hash", static_cast<double>(hash_difference), 0}},
          .tells_wait = true};
}

}  // namespace tasuki::radixsort
