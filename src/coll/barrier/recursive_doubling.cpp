#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/fold.hpp"

namespace tasuki::coll::barrier {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const Fold fold(shape.ranks);
  const int group = fold.group(shape.rank);
  const int leader = fold.leader(group);
  if (shape.rank != leader) {
    builder.signal(leader);
    builder.next_round();
    builder.await_signal(leader);
    return;
  }
  const bool has_follower = fold.size(group) > 1;
  if (has_follower) builder.await_signal(leader + 1);
  builder.next_round();
  for (int distance = 1; distance < fold.active(); distance *= 2) {
    builder.signal(fold.leader(group ^ distance));
    builder.await_signal(fold.leader(group ^ distance));
    builder.next_round();
  }
  if (has_follower) builder.signal(leader + 1);
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Fold fold(shapes.front().ranks);
  return {as_size(ceil_log(fold.active())) + (fold.folded() > 0 ? 2 : 0), 0};
}

}  // namespace

extern const AlgorithmDescriptor recursive_doubling = {
    .collective = Collective::barrier,
    .name = "recursive_doubling",
    .summary = "Signals exchanged at doubling distances, after folding to a power of two.",
    .way = BySchedule{write, cost},
    .cost_text = "rounds: log2 q, + 2 if p > q; q = power of two <= p",
};

}  // namespace tasuki::coll::barrier
