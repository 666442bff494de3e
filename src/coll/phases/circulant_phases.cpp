#include "coll/phases/circulant_phases.hpp"

namespace tasuki::coll {
namespace {

/// Adds what arrives for the run of `number` blocks from `rank` on to `home`. While the value of
/// the run is still elsewhere, it arrives at home and the own value is added to it.
void receive_run(ScheduleBuilder& builder, int ranks, int rank, int peer, int number,
                 const Blocks& own, const Blocks& home, bool at_home) {
  const auto targets = home.around(rank, number, ranks);
  if (!at_home) {
    builder.receive(peer, posted_receive_for(builder, targets));
    const auto sources = own.around(rank, number, ranks);
    for (std::size_t i = 0; i < targets.size(); ++i) builder.reduce(sources[i], targets[i]);
    return;
  }
  const Slice arrived = builder.scratch(total_count(targets));
  builder.receive(peer, arrived);
  std::size_t offset = 0;
  for (const Slice& target : targets) {
    builder.reduce(arrived.part(offset, target.count), target);
    offset += target.count;
  }
}

}  // namespace

std::vector<int> circulant_distances(int ranks) {
  std::vector<int> distances = {ranks};
  while (distances.back() > 1) distances.push_back((distances.back() + 1) / 2);
  return distances;
}

void circulant_reduce_scatter(ScheduleBuilder& builder, int ranks, int rank, const Blocks& own,
                              const Blocks& home, bool in_place) {
  const std::vector<int> distances = circulant_distances(ranks);
  for (std::size_t i = 1; i < distances.size(); ++i) {
    const int distance = distances[i];
    const int number = distances[i - 1] - distance;
    const bool at_home = in_place || i > 1;
    const Blocks& value = at_home ? home : own;
    const Slice parcel = packed(builder, value.around(rank + distance, number, ranks));
    builder.next_round();
    builder.send((rank + distance) % ranks, parcel);
    receive_run(builder, ranks, rank, wrapped(rank - distance, ranks), number, own, home, at_home);
    if (at_home || number == distance) continue;
    // Of an odd number of blocks the middle one got nothing and has to be brought home.
    const int middle = (rank + number) % ranks;
    builder.copy(own.of(middle), home.of(middle));
  }
  builder.next_round();
}

void circulant_allgather(ScheduleBuilder& builder, const Circle& circle, const Blocks& all) {
  const std::vector<int> distances = circulant_distances(circle.size);
  for (std::size_t i = distances.size() - 1; i >= 1; --i) {
    const int distance = distances[i];
    const int number = distances[i - 1] - distance;
    const Slice parcel = packed(builder, all.around(circle.number, number, circle.size));
    builder.next_round();
    builder.send(circle.rank_at(-distance), parcel);
    const auto places = all.around(circle.number + distance, number, circle.size);
    builder.receive(circle.rank_at(distance), posted_receive_for(builder, places));
  }
  builder.next_round();
}

}  // namespace tasuki::coll
