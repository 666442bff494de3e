#include "coll/phases/scan_phases.hpp"

namespace tasuki::coll {
namespace {

/// Is there a peer for this rank at `distance` or beyond?
bool meets_more_peers(int rank, int ranks, int distance) {
  for (; distance < ranks; distance *= 2) {
    if ((rank ^ distance) < ranks) return true;
  }
  return false;
}

}  // namespace

void scan_recursive_doubling(ScheduleBuilder& builder, const Shape& shape, Prefix prefix) {
  const Slice input{shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  const Slice result{Buffer::output, 0, shape.count};
  // What this rank's group of neighbours makes together; `result` is only up to this rank.
  const Slice group = builder.scratch(shape.count);
  const Slice arrived = builder.scratch(shape.count);
  builder.copy(input, group);
  if (prefix == Prefix::inclusive && !shape.in_place) builder.copy(input, result);
  builder.next_round();
  bool has_result = prefix == Prefix::inclusive;
  for (int distance = 1; distance < shape.ranks; distance *= 2) {
    const int peer = shape.rank ^ distance;
    if (peer >= shape.ranks) continue;
    builder.send(peer, group);
    builder.receive(peer, arrived);
    const bool group_needed = meets_more_peers(shape.rank, shape.ranks, 2 * distance);
    if (peer < shape.rank) {
      if (group_needed) builder.reduce(arrived, group);
      if (has_result) {
        builder.reduce(arrived, result);
      } else {
        builder.copy(arrived, result);
        has_result = true;
      }
    } else if (group_needed) {
      builder.reduce_right(arrived, group);
    }
    builder.next_round();
  }
}

std::size_t scan_messages_count(int ranks) {
  std::size_t messages = 0;
  for (int distance = 1; distance < ranks; distance *= 2) {
    for (int rank = 0; rank < ranks; ++rank) messages += (rank ^ distance) < ranks ? 1 : 0;
  }
  return messages;
}

}  // namespace tasuki::coll
