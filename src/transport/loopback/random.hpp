// A small random generator, the same on every platform, so that a seed means the same run.
//
// Used by the loopback cluster only. Thread-safety: none.
#pragma once

#include <cstdint>

namespace tasuki::transport::loopback {

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// A number in [0, bound). Requires: bound > 0.
  std::uint64_t below(std::uint64_t bound) noexcept { return next() % bound; }
  bool one_in(std::uint64_t bound) noexcept { return below(bound) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace tasuki::transport::loopback
