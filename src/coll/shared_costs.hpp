// Costs that several algorithms share.
//
// Thread-safety: pure functions.
#pragma once

#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

using Rounds = int (*)(int ranks);

/// A vector of n elements travels between all ranks: (p - 1) n elements in rounds(p),
/// `times` times over (2: a reduce, then a broadcast).
template <Rounds rounds, int times = 1>
Cost vector_cost(std::span<const Shape> shapes, const Parameters&) {
  const Shape& shape = shapes.front();
  return {as_size(times * rounds(shape.ranks)), as_size(times * (shape.ranks - 1)) * shape.count};
}

/// Every rank gets, or has combined, the blocks of all, N elements together: (p - 1) N elements in
/// rounds(p).
template <Rounds rounds, std::size_t ports = 1>
Cost all_blocks_cost(std::span<const Shape> shapes, const Parameters&) {
  const Shape& shape = shapes.front();
  return {as_size(rounds(shape.ranks)), as_size(shape.ranks - 1) * total_receive_count(shape),
          ports};
}

}  // namespace tasuki::coll
