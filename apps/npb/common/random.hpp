// The random generator of the NAS Parallel Benchmarks: x -> a x mod 2^46, in integers.
//
// Called by the generators of the kernels' input. The specification (Bailey et al., The NAS
// Parallel Benchmarks, RNR-94-007, 1994, section 2.3) defines it on double precision halves, for
// machines without 64-bit integers; the low 46 bits of a 64-bit product are the same numbers.
// Thread-safety: values; a stream belongs to one thread.
#pragma once

#include <cstdint>

namespace tasuki::npb {

class RandomStream {
 public:
  static constexpr std::uint64_t default_multiplier = 1220703125;  ///< 5^13.
  static constexpr std::uint64_t default_seed = 314159265;

  explicit RandomStream(std::uint64_t seed = default_seed,
                        std::uint64_t multiplier = default_multiplier) noexcept
      : state_(seed & mask), multiplier_(multiplier & mask) {}

  /// The next number, uniform in (0, 1).
  double next() noexcept {
    state_ = state_ * multiplier_ & mask;
    return static_cast<double>(state_) * 0x1p-46;
  }

  /// Continues as if `count` numbers had been drawn; O(log count).
  void skip(std::uint64_t count) noexcept {
    std::uint64_t power = multiplier_;
    for (; count != 0; count >>= 1) {
      if (count & 1) state_ = state_ * power & mask;
      power = power * power & mask;
    }
  }

  std::uint64_t state() const noexcept { return state_; }

 private:
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 46) - 1;

  std::uint64_t state_;
  std::uint64_t multiplier_;
};

}  // namespace tasuki::npb
