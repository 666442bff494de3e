#include <tasuki/detail/coll/algorithm.hpp>

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

template <Collective collective>
void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  constexpr bool inclusive = collective == Collective::scan;
  const Slice input{shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  const Slice result{Buffer::output, 0, shape.count};
  // What this rank's group of neighbours makes together; `result` is only up to this rank.
  const Slice group = builder.scratch(shape.count);
  const Slice arrived = builder.scratch(shape.count);
  builder.copy(input, group);
  if (inclusive && !shape.in_place) builder.copy(input, result);
  builder.next_round();
  bool has_result = inclusive;
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

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Shape& shape = shapes.front();
  std::size_t messages = 0;
  for (int distance = 1; distance < shape.ranks; distance *= 2) {
    for (int rank = 0; rank < shape.ranks; ++rank) {
      if ((rank ^ distance) < shape.ranks) ++messages;
    }
  }
  return {as_size(ceil_log(shape.ranks)), messages * shape.count};
}

template <Collective collective>
constexpr AlgorithmDescriptor recursive_doubling_of() {
  return {.collective = collective,
          .name = "recursive_doubling",
          .summary =
              "Groups of neighbours that double exchange what they have made (see Thakur, "
              "Rabenseifner and Gropp 2005).",
          .way = BySchedule{write<collective>, cost},
          .cost_text =
              "rounds: ceil(log2 p); elements: n p log2 p for powers of two, less what has no peer "
              "else"};
}

}  // namespace

namespace scan {
extern const AlgorithmDescriptor recursive_doubling = recursive_doubling_of<Collective::scan>();
}
namespace exscan {
extern const AlgorithmDescriptor recursive_doubling = recursive_doubling_of<Collective::exscan>();
}

}  // namespace tasuki::coll
