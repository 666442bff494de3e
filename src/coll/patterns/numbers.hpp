// Whole-number arithmetic that the patterns share.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>

namespace tasuki::coll {

constexpr std::size_t as_size(int value) { return static_cast<std::size_t>(value); }

/// Largest power of `radix` that is <= value. Requires: value >= 1, radix >= 2.
constexpr int floor_power(int value, int radix = 2) {
  int power = 1;
  while (power <= value / radix) power *= radix;
  return power;
}

/// Smallest number of digits e with radix^e >= value. Requires: value >= 1, radix >= 2.
constexpr int ceil_log(int value, int radix = 2) {
  int digits = 0;
  for (long long power = 1; power < value; power *= radix) ++digits;
  return digits;
}

constexpr int ceil_log2(int value) { return ceil_log(value); }

/// The other ones of so many ranks.
constexpr int others(int ranks) { return ranks - 1; }

constexpr bool is_power(int value, int radix = 2) { return floor_power(value, radix) == value; }

constexpr std::size_t ceil_div(std::size_t value, std::size_t divisor) {
  return (value + divisor - 1) / divisor;
}

/// value modulo ranks, also for negative values.
constexpr int wrapped(int value, int ranks) { return (value % ranks + ranks) % ranks; }

}  // namespace tasuki::coll
