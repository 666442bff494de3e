// Products and sums of 64 bits that say when they overflow.
//
// Used by the layer's constructors, so that what they made needs no checks. Thread-safety: pure
// functions.
#pragma once

#include <cstdint>
#include <optional>

namespace tasuki::layout {

inline std::optional<std::int64_t> checked_product(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return {};
  return product;
}

inline std::optional<std::int64_t> checked_sum(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return {};
  return sum;
}

}  // namespace tasuki::layout
