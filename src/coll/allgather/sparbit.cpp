#include "coll/phases/allgather_phases.hpp"

namespace tasuki::coll::allgather {
namespace {

void go_down_trees(ScheduleBuilder& builder, const Circle& circle, const Blocks& all) {
  const int ranks = circle.size;
  for (int distance = floor_power(ranks > 1 ? ranks - 1 : 1); distance >= 1; distance /= 2) {
    // Seen from a block's owner, ranks at multiples of twice the distance have it by now.
    for (int way = 0; way + distance < ranks; way += 2 * distance) {
      builder.send(circle.rank_at(distance), all.of(circle.rank_at(-way)));
      builder.receive(circle.rank_at(-distance), all.of(circle.rank_at(-distance - way)));
    }
    builder.next_round();
  }
}

}  // namespace

extern const AlgorithmDescriptor sparbit = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "sparbit",
    .summary =
        "Blocks go down binomial trees from their owners, all at once, at halving distances (Loch "
        "and Koslovski 2021).",
    .way = BySchedule{allgather_by<go_down_trees>, all_blocks_cost<ceil_log2, any_ports>},
    .cost_text =
        "rounds: ceil(log2 p) with enough ports; elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::allgather
