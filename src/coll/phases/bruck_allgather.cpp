#include "coll/phases/bruck_allgather.hpp"

namespace tasuki::coll {

void bruck_allgather(ScheduleBuilder& builder, int ranks, int rank, int radix, const Blocks& all) {
  for (const BruckPhase& phase : bruck_phases(ranks, radix)) {
    const auto run_of = [&](const BruckHop& hop, int first) {
      return all.around(first, std::min(hop.weight, ranks - hop.distance), ranks);
    };
    std::vector<Slice> parcels;
    for (const BruckHop& hop : phase) parcels.push_back(packed(builder, run_of(hop, rank)));
    builder.next_round();
    for (std::size_t i = 0; i < phase.size(); ++i) {
      const int distance = phase[i].distance;
      builder.send(wrapped(rank - distance, ranks), parcels[i]);
      builder.receive((rank + distance) % ranks,
                      posted_receive_for(builder, run_of(phase[i], rank + distance)));
    }
  }
  builder.next_round();
}

}  // namespace tasuki::coll
