// The digits of a key in any radix, least significant first.
//
// Called in the inner loops of the sorter, where a division would take longer than all else.
// Thread-safety: values.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "radixsort/keys.hpp"

namespace tasuki::radixsort {

inline constexpr std::int64_t largest_radix = 4096;

/// How many digits the largest key has.
constexpr int digit_count(std::int64_t radix) noexcept {
  int count = 0;
  for (std::int64_t rest = (std::int64_t{1} << key_bits) - 1; rest > 0; rest /= radix) ++count;
  return count;
}

/// The digit where the radix is a power of two.
class ShiftedDigit {
 public:
  ShiftedDigit(std::uint32_t radix, int place) noexcept
      : shift_(place * (std::bit_width(radix) - 1)), mask_(radix - 1) {}
  std::size_t operator()(Key key) const noexcept { return key >> shift_ & mask_; }

 private:
  int shift_;
  std::uint32_t mask_;
};

/// The digit in any other radix. Quotients come from a product: with m = ceil(2^63 / d),
/// floor(x m / 2^63) = floor(x / d) for all x < 2^32 and d < 2^31, because the error x (m d - 2^63)
/// / 2^63 stays below 1 (Granlund, Montgomery, Division by Invariant Integers using
/// Multiplication, PLDI 1994).
class DividedDigit {
 public:
  DividedDigit(std::uint32_t radix, int place) noexcept : radix_(radix) {
    std::uint64_t divisor = 1;
    for (int below = 0; below < place; ++below) divisor *= radix;
    by_divisor_ = reciprocal(divisor);
    by_radix_ = reciprocal(radix);
  }
  std::size_t operator()(Key key) const noexcept {
    const std::uint64_t rest = quotient(key, by_divisor_);
    return rest - radix_ * quotient(rest, by_radix_);
  }

 private:
  __extension__ using Product = unsigned __int128;
  static constexpr int shift = 63;

  static std::uint64_t reciprocal(std::uint64_t divisor) noexcept {
    return ((std::uint64_t{1} << shift) - 1) / divisor + 1;
  }
  static std::uint64_t quotient(std::uint64_t number, std::uint64_t by) noexcept {
    return static_cast<std::uint64_t>(static_cast<Product>(number) * by >> shift);
  }

  std::uint64_t radix_;
  std::uint64_t by_divisor_;
  std::uint64_t by_radix_;
};

/// Calls `use(digit)` with what takes digit `place` out of a key.
template <class Use>
void with_digit(std::int64_t radix, int place, const Use& use) {
  const auto base = static_cast<std::uint32_t>(radix);
  if (std::has_single_bit(base)) {
    use(ShiftedDigit(base, place));
  } else {
    use(DividedDigit(base, place));
  }
}

}  // namespace tasuki::radixsort
