#include "coll/phases/allgather_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allgather {
namespace {

void exchange_runs(ScheduleBuilder& builder, const Circle& circle, const Blocks& all) {
  const int ranks = circle.size;
  const int rank = circle.number;
  for (int distance = 1; distance < ranks; distance *= 2) {
    const int peer = rank ^ distance;
    const int mine = rank / distance * distance;
    const int theirs = peer / distance * distance;
    const Slice parcel = packed(builder, all.around(mine, distance, ranks));
    builder.next_round();
    builder.send(peer, parcel);
    builder.receive(peer, posted_receive_for(builder, all.around(theirs, distance, ranks)));
  }
  builder.next_round();
}

}  // namespace

extern const AlgorithmDescriptor recursive_doubling = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "recursive_doubling",
    .summary =
        "Runs of blocks that double are exchanged (see Thakur, Rabenseifner and Gropp 2005).",
    .not_applicable_because = needs_power_of_two,
    .way = BySchedule{allgather_by<exchange_runs>, all_blocks_cost<ceil_log2>},
    .cost_text = "rounds: log2 p; elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::allgather
