// What the phases of NPB IS take, for simulation: a key's way through each, and a table's entry.
//
// Used by the ways of ranking (by_counts.hpp, by_keys.hpp). Thread-safety: constants.
#pragma once

namespace tasuki::npb::is {

// Xeon, Sapphire Rapids, class A, two ranks: `tasuki bench npb is --class A -n 2`.
inline constexpr double bucket_ns = 0.5;
inline constexpr double group_ns = 1.5;
inline constexpr double rank_ns = 1.0;
inline constexpr double entry_ns = 0.4;

}  // namespace tasuki::npb::is
