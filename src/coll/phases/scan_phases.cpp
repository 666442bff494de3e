#include "coll/phases/scan_phases.hpp"

#include "coll/patterns/numbers.hpp"

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

void scan_linear(ScheduleBuilder& builder, const Shape& shape, Prefix prefix) {
  const bool inclusive = prefix == Prefix::inclusive;
  const bool sends = shape.rank + 1 < shape.ranks;
  const Slice input{shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  const Slice result{Buffer::output, 0, shape.count};
  // What goes on to the next rank includes the own value; an exclusive result does not.
  Slice passed_on = inclusive ? result : input;
  if (shape.rank > 0) {
    if (!inclusive && sends) {
      passed_on = builder.scratch(shape.count);
      builder.copy(input, passed_on);
      builder.next_round();
    }
    const bool lands_in_result = !shape.in_place;
    const Slice arrived = lands_in_result ? result : builder.scratch(shape.count);
    builder.receive(shape.rank - 1, arrived);
    if (inclusive) {
      if (lands_in_result) {
        builder.reduce_right(input, result);
      } else {
        builder.reduce(arrived, result);
      }
    } else {
      if (sends) builder.reduce(arrived, passed_on);
      if (!lands_in_result) builder.copy(arrived, result);
    }
  } else if (inclusive && !shape.in_place) {
    builder.copy(input, result);
  }
  builder.next_round();
  if (sends) builder.send(shape.rank + 1, passed_on);
  builder.next_round();
}

Cost scan_recursive_doubling_cost(const Shape& shape) {
  std::size_t messages = 0;
  for (int distance = 1; distance < shape.ranks; distance *= 2) {
    for (int rank = 0; rank < shape.ranks; ++rank) {
      if ((rank ^ distance) < shape.ranks) ++messages;
    }
  }
  return {as_size(ceil_log(shape.ranks)), messages * shape.count};
}

}  // namespace tasuki::coll
