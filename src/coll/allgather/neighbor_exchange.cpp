#include "coll/phases/allgather_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allgather {
namespace {

/// How many pairs ahead the pair of blocks lies that a rank gets in the round (its own in round
/// 0), seen from its own pair; even ranks look one way first, odd ranks the other.
int pairs_ahead(int rank, int round) {
  const int steps = round % 2 == 1 ? -(round + 1) / 2 : round / 2;
  return rank % 2 == 0 ? steps : -steps;
}

void exchange_with_neighbors(ScheduleBuilder& builder, const Circle& circle, const Blocks& all) {
  const int ranks = circle.size;
  const int rank = circle.number;
  const bool even = rank % 2 == 0;
  const int partner = even ? rank + 1 : rank - 1;
  const int outer = wrapped(even ? rank - 1 : rank + 1, ranks);
  const int own_pair = rank / 2 * 2;
  builder.send(partner, all.of(rank));
  builder.receive(partner, all.of(partner));
  for (int round = 1; round < ranks / 2; ++round) {
    const int sent = own_pair + 2 * pairs_ahead(rank, round - 1);
    const int wanted = own_pair + 2 * pairs_ahead(rank, round);
    const int neighbor = round % 2 == 1 ? outer : partner;
    const Slice parcel = packed(builder, all.around(sent, 2, ranks));
    builder.next_round();
    builder.send(neighbor, parcel);
    builder.receive(neighbor, posted_receive_for(builder, all.around(wanted, 2, ranks)));
  }
  builder.next_round();
}

int half(int ranks) { return ranks / 2; }

}  // namespace

extern const AlgorithmDescriptor neighbor_exchange = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "neighbor_exchange",
    .summary =
        "Pairs of blocks are exchanged with the two neighbours alternately (Chen, Yuan, Chen and "
        "Shen 2005).",
    .not_applicable_because = needs_even_ranks,
    .way = BySchedule{allgather_by<exchange_with_neighbors>, all_blocks_cost<half>},
    .cost_text = "rounds: p / 2; elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::allgather
