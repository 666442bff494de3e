// What the ranks of NPB IS exchange in each iteration: counts or keys.
//
// Called by the Ranker and the report. Thread-safety: pure functions.
#pragma once

#include "npb/common/options.hpp"
#include "npb/is/problem.hpp"

namespace tasuki::npb::is {

/// Returns: `asked` unless that leaves the choice to the problem; then the cheaper way. Counts are
/// kept for all values, so they have to fit the cache (Xeon, Sapphire Rapids, 2 MiB of second-level
/// cache; one rank, ns per key by counts / by keys: table of 2 MiB 1.0 / 2.2, 8 MiB 1.9 / 2.7,
/// 32 MiB 4.0 / 2.9), and a rank sends one count for each value.
inline Exchanged choose(Exchanged asked, const Problem& problem, int ranks) noexcept {
  if (asked != Exchanged::cheaper) return asked;
  constexpr Key largest_limit = Key{1} << 21;
  const bool fits = problem.key_limit() <= largest_limit;
  const bool sends_less = problem.key_limit() <= problem.key_count() / ranks;
  return fits && sends_less ? Exchanged::counts : Exchanged::keys;
}

}  // namespace tasuki::npb::is
