#include "coll/phases/allgather_phases.hpp"

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {
namespace {

/// How many pairs ahead the pair of blocks lies that a rank gets in the round (its own in round
/// 0), seen from its own pair; even ranks look one way first, odd ranks the other.
int pairs_ahead(int rank, int round) {
  const int steps = round % 2 == 1 ? -(round + 1) / 2 : round / 2;
  return rank % 2 == 0 ? steps : -steps;
}

}  // namespace

void place_self_block(ScheduleBuilder& builder, int rank, const Blocks& all) {
  builder.copy({Buffer::input, 0, all.count(rank)}, all.of(rank));
  builder.next_round();
}

void linear_allgather(ScheduleBuilder& builder, int ranks, int rank, const Blocks& all) {
  for (int distance = 1; distance < ranks; ++distance) {
    const int source = wrapped(rank - distance, ranks);
    builder.send((rank + distance) % ranks, all.of(rank));
    builder.receive(source, all.of(source));
  }
  builder.next_round();
}

void recursive_doubling_allgather(ScheduleBuilder& builder, int ranks, int rank,
                                  const Blocks& all) {
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

void neighbor_exchange_allgather(ScheduleBuilder& builder, int ranks, int rank, const Blocks& all) {
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

void sparbit_allgather(ScheduleBuilder& builder, int ranks, int rank, const Blocks& all) {
  for (int distance = floor_power(ranks > 1 ? ranks - 1 : 1); distance >= 1; distance /= 2) {
    // Seen from a block's owner, ranks at multiples of twice the distance have it by now.
    for (int way = 0; way + distance < ranks; way += 2 * distance) {
      const int sent = wrapped(rank - way, ranks);
      const int wanted = wrapped(rank - distance - way, ranks);
      builder.send((rank + distance) % ranks, all.of(sent));
      builder.receive(wrapped(rank - distance, ranks), all.of(wanted));
    }
    builder.next_round();
  }
}

}  // namespace tasuki::coll
