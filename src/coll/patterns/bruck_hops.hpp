// The hops of Bruck's algorithms, of distances digit * radix^i. In an all-to-all a block with `way`
// ranks to go takes one hop for each digit of its way that is not 0, lowest first; in an allgather
// and a barrier a rank that knows `weight` of them hears of as many more by each hop.
//
// Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tasuki::coll {

/// A hop of digit * weight ranks ahead, taken by the blocks whose way has that digit there.
struct BruckHop {
  int distance;
  int digit;
  int weight;
};

/// The hops of one digit, which blocks may take at the same time.
using BruckPhase = std::vector<BruckHop>;

/// Requires: radix >= 2.
std::vector<BruckPhase> bruck_phases(int ranks, int radix);
/// Hops of all phases.
std::size_t bruck_hops_count(int ranks, int radix);

/// Calls `visit(first, last)` for each run of ways [first, last) that takes the hop.
template <class Visit>
void for_each_run(const BruckHop& hop, int ranks, int radix, Visit visit) {
  const long long period = static_cast<long long>(hop.weight) * radix;
  for (long long first = hop.distance; first < ranks; first += period) {
    visit(static_cast<int>(first),
          static_cast<int>(std::min<long long>(first + hop.weight, ranks)));
  }
}

/// The ways that take the hop, in rising order.
std::vector<int> ways_of(const BruckHop& hop, int ranks, int radix);

}  // namespace tasuki::coll
