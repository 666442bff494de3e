// The keys: uniform in [0, 2^31), a pure function of their place in the unsorted set.
//
// Called by the sorter and by the check of its result. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "common/partition.hpp"

namespace tasuki::radixsort {

using Key = std::uint32_t;

inline constexpr int key_bits = 31;

/// Writes the keys at `places` of the unsorted set. Requires: keys.size() == places.size().
void generate_keys(apps::Range places, std::span<Key> keys) noexcept;

/// The same for any order of the same keys, and hardly ever for others.
std::uint64_t hash_of(std::span<const Key> keys) noexcept;

}  // namespace tasuki::radixsort
