#include "coll/levels/levels.hpp"

namespace tasuki::coll::barrier {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const Levels levels = Levels::with_leaders(shape, Leader::first);
  const int leader = levels.node.ranks.front();
  if (!levels.is_leader()) {
    builder.signal(leader);
    builder.next_round();
    builder.await_signal(leader);
    return;
  }
  for (const int rank : levels.node.ranks) {
    if (rank != leader) builder.await_signal(rank);
  }
  builder.next_round();
  Composition between(shape);
  between.part(levels.across, {Collective::barrier}, {}, {});
  between.write(builder);
  builder.next_round();
  for (const int rank : levels.node.ranks) {
    if (rank != leader) builder.signal(rank);
  }
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Placement& placement = *shapes.front().placement;
  std::size_t most_members = 0;
  for (int node = 0; node < placement.nodes_count(); ++node) {
    most_members = std::max(most_members, placement.ranks_on(node).size());
  }
  const int exchanges = ceil_log2(placement.nodes_count());
  return {.rounds = 2 * (most_members - 1) + as_size(exchanges), .is_bound = true};
}

}  // namespace

extern const AlgorithmDescriptor two_level = {
    .collective = Collective::barrier,
    .name = "two_level",
    .summary =
        "The ranks of a node report to one, which meets those of the other nodes (Karonis et al. "
        "2000).",
    .not_applicable_because = needs_nodes,
    .way = BySchedule{write, cost},
    .cost_text = "rounds: at most 2 (r - 1) + ceil(log2 m); m = nodes, r = ranks of a node",
};

}  // namespace tasuki::coll::barrier
