#include "coll/phases/bruck_phases.hpp"

#include <algorithm>

namespace tasuki::coll {

void for_each_bruck_hop(int ranks, int radix, const std::function<void(int, int, bool)>& visit) {
  for (long long known = 1; known < ranks; known *= radix) {
    for (int digit = 1; digit < radix && digit * known < ranks; ++digit) {
      const int hop = static_cast<int>(digit * known);
      visit(hop, std::min(static_cast<int>(known), ranks - hop), digit == 1);
    }
  }
}

void bruck_allgather(ScheduleBuilder& builder, int ranks, int rank, int radix, const Blocks& all) {
  struct Hop {
    int distance;
    int run;
  };
  std::vector<std::vector<Hop>> phases;
  for_each_bruck_hop(ranks, radix, [&](int hop, int run, bool starts_phase) {
    if (starts_phase) phases.emplace_back();
    phases.back().push_back({hop, run});
  });
  for (const auto& phase : phases) {
    std::vector<Slice> parcels;
    for (const Hop& hop : phase) {
      parcels.push_back(packed(builder, all.around(rank, hop.run, ranks)));
    }
    builder.next_round();
    for (std::size_t i = 0; i < phase.size(); ++i) {
      const Hop& hop = phase[i];
      builder.send(wrapped(rank - hop.distance, ranks), parcels[i]);
      const auto pieces = all.around(rank + hop.distance, hop.run, ranks);
      builder.receive((rank + hop.distance) % ranks, posted_receive_for(builder, pieces));
    }
  }
  builder.next_round();
}

}  // namespace tasuki::coll
