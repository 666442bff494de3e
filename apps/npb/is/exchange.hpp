// The communication of NPB IS: what the ranking asks of Tasuki, of MPI, or of a test.
//
// Called by the ways of ranking (by_counts.hpp, by_keys.hpp). Thread-safety: one object per rank;
// all calls are collective over the ranks.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "npb/is/problem.hpp"

namespace tasuki::npb::is {

template <class E>
concept Exchange = requires(E exchange, std::size_t count, std::span<std::int32_t> sums,
                            std::span<const std::int32_t> counts,
                            std::span<const std::size_t> sizes, std::span<const Key> grouped,
                            std::span<const std::size_t> begins) {
  /// From now on up to `count` keys may arrive here at a time.
  exchange.reserve(count);
  /// Sums over all ranks, in place.
  exchange.sum(sums);
  /// Sums `counts` over all ranks and puts the part of this rank into `sums`; rank r's part has
  /// sizes[r] elements, and the parts follow each other in the order of the ranks.
  exchange.sum_parts(counts, sums, sizes);
  /// Moves the keys [begins[r], begins[r + 1]) of `grouped` to rank r, but not this rank's
  /// own. Returns: the `count` keys that came from the others, valid until the next `sum`.
  { exchange.move_keys(grouped, begins, count) } -> std::same_as<std::span<const Key>>;
};

}  // namespace tasuki::npb::is
