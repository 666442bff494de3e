// Which rank of a team a key belongs to.
//
// The same on all ranks. Used by the containers with keys. Thread-safety: pure functions.
#pragma once

#include <cstdint>

namespace tasuki::containers {

/// A hash whose bits all depend on all bits of `hash`, for std::hash of an integer may be the
/// integer itself (the last steps of splitmix64; Steele, Lea and Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t hash) noexcept {
  hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9U;
  hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111ebU;
  return hash ^ (hash >> 31U);
}

/// From 0 to before `ranks`.
constexpr int rank_of_hash(std::uint64_t hash, int ranks) noexcept {
  return static_cast<int>(((mixed(hash) >> 32U) * static_cast<std::uint64_t>(ranks)) >> 32U);
}

}  // namespace tasuki::containers
