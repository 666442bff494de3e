#include <tasuki/detail/coll/algorithm.hpp>

#include <vector>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll::exscan {
namespace {

struct Hop {
  int distance;
  int first_sender;  ///< Rank 0 has a result of nobody; it takes part only with its input.
  bool adds_own;     ///< What is sent is the result and the own input.
};

std::vector<Hop> hops_of(int ranks) {
  std::vector<Hop> hops;
  if (ranks > 1) hops.push_back({1, 0, false});
  if (ranks > 2) hops.push_back({2, 0, true});
  for (int distance = 3; distance + 1 < ranks; distance *= 2) hops.push_back({distance, 1, false});
  return hops;
}

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const Slice input{shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  // In place the result would overwrite the input, which is still needed in the second round.
  const Slice own = shape.in_place ? builder.scratch(shape.count) : input;
  if (shape.in_place) builder.copy(input, own);
  builder.next_round();
  const Slice result{Buffer::output, 0, shape.count};
  const Slice arrived = builder.scratch(shape.count);
  const Slice with_own = builder.scratch(shape.count);
  bool has_result = false;
  for (const Hop& hop : hops_of(shape.ranks)) {
    const bool receives = shape.rank - hop.distance >= hop.first_sender;
    if (shape.rank >= hop.first_sender && shape.rank + hop.distance < shape.ranks) {
      const bool adds_own = hop.adds_own && has_result;
      builder.send(shape.rank + hop.distance, adds_own ? with_own : has_result ? result : own);
    }
    if (receives) builder.receive(shape.rank - hop.distance, has_result ? arrived : result);
    if (receives && has_result) builder.reduce(arrived, result);
    has_result = has_result || receives;
    if (hop.distance == 1 && shape.rank + 2 < shape.ranks && shape.rank > 0) {
      builder.copy(result, with_own);
      builder.reduce_right(own, with_own);
    }
    builder.next_round();
  }
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  Cost total;
  for (const Hop& hop : hops_of(static_cast<int>(p))) {
    ++total.rounds;
    total.elements += (p - as_size(hop.distance + hop.first_sender)) * shapes.front().count;
  }
  return total;
}

}  // namespace

extern const AlgorithmDescriptor doubling_123 = {
    .collective = Collective::exscan,
    .name = "doubling_123",
    .summary =
        "Distances 1, 2, 3, 6, 12, ...: after the second round only results travel, no inputs "
        "(Traff 2025, 123-doubling).",
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: one for each distance 1, 2, 3, 6, 12, ... up to p - 2 (1 for p = 2); elements: n "
        "times the messages",
};

}  // namespace tasuki::coll::exscan
