#include "coll/patterns/bruck_hops.hpp"

namespace tasuki::coll {

std::vector<BruckPhase> bruck_phases(int ranks, int radix) {
  std::vector<BruckPhase> phases;
  for (long long weight = 1; weight < ranks; weight *= radix) {
    BruckPhase& phase = phases.emplace_back();
    for (int digit = 1; digit < radix && digit * weight < ranks; ++digit) {
      phase.push_back({static_cast<int>(digit * weight), digit, static_cast<int>(weight)});
    }
  }
  return phases;
}

std::size_t bruck_hops_count(int ranks, int radix) {
  std::size_t count = 0;
  for (const BruckPhase& phase : bruck_phases(ranks, radix)) count += phase.size();
  return count;
}

std::vector<int> ways_of(const BruckHop& hop, int ranks, int radix) {
  std::vector<int> ways;
  for_each_run(hop, ranks, radix, [&](int first, int last) {
    for (int way = first; way < last; ++way) ways.push_back(way);
  });
  return ways;
}

}  // namespace tasuki::coll
