// How long waits have lasted, by powers of two, and how long a wait that goes on will still last.
//
// Filled and asked by whoever waits for messages; one for each place in the program that waits.
// Thread-safety: one per thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tasuki::predict {

/// Bucket i holds waits of 2^i up to 2^(i+1) - 1 ns, the first also 0 and the last all longer ones.
class WaitHistogram {
 public:
  static constexpr std::size_t buckets_count = 40;  ///< The last begins at 9 minutes.
  /// When there are so many waits, all counts are halved, so that the newest ones count most.
  static constexpr std::uint32_t waits_most = 1024;

  void add(std::int64_t wait_ns) noexcept;

  std::uint32_t waits_count() const noexcept { return waits_count_; }
  const std::array<std::uint32_t, buckets_count>& counts() const noexcept { return counts_; }

  /// Shorter than this a wait that has lasted for `elapsed_ns` goes on with a probability of at
  /// most `share`, as far as powers of two can tell: 0 if it may end at any moment. None if no wait
  /// has ever lasted so long.
  std::optional<std::int64_t> remaining_ns(std::int64_t elapsed_ns, double share) const noexcept;

 private:
  std::array<std::uint32_t, buckets_count> counts_{};
  std::uint32_t waits_count_ = 0;
};

}  // namespace tasuki::predict
