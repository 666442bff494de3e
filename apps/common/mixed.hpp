// Numbers that look random, each a pure function of another: how inputs are made on any rank.
//
// Called by the generators of keys, matrices and weights. Thread-safety: a pure function.
#pragma once

#include <cstdint>

namespace tasuki::apps {

/// A bijection of 64-bit numbers that spreads neighbours: the step of SplitMix64 (Steele, Lea,
/// Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
constexpr std::uint64_t mixed(std::uint64_t number) noexcept {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

}  // namespace tasuki::apps
