#include "coll/levels/levels.hpp"

namespace tasuki::coll::allgather {
namespace {

void compose(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_leaders(shape, Leader::first);
  const Slice own{Buffer::input, 0, shape.count};
  const Slice all{Buffer::output, 0, as_size(shape.ranks) * shape.count};
  const bool is_arranged = shape.placement->is_in_order();
  const Slice arrived = is_arranged ? all : whole.scratch(all.count);

  const Slice of_node = blocks_of_node(shape, arrived, levels.node_number);
  whole.part(levels.node, {Collective::gather, shape.count, levels.leader_place}, own, of_node);
  whole.part(levels.across, {Collective::allgatherv, 0, 0, false, node_counts(shape)}, of_node,
             arrived);
  whole.part(levels.node, {Collective::broadcast, all.count, levels.leader_place}, {}, arrived);
  if (!is_arranged) arrange_by_rank(whole, shape, shape.placement->ranks_by_node(), arrived, all);
}

void compose_lanes(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_lanes(shape);
  const Slice own{Buffer::input, 0, shape.count};
  const Slice all{Buffer::output, 0, as_size(shape.ranks) * shape.count};
  const std::size_t lane_count = as_size(levels.across.size()) * shape.count;

  // By lanes, and in each by nodes.
  const Slice arrived = whole.scratch(all.count);
  const Slice lane = arrived.part(as_size(levels.node.place) * lane_count, lane_count);
  whole.part(levels.across, {Collective::allgather, shape.count}, own, lane);
  whole.part(levels.node, {Collective::allgather, lane_count}, lane, arrived);
  arrange_by_rank(whole, shape, ranks_by_lane(*shape.placement), arrived, all);
}

}  // namespace

extern const AlgorithmDescriptor two_level = {
    .collective = Collective::allgather,
    .name = "two_level",
    .summary =
        "Gathered on each node, exchanged by one rank of each node, which passes all on (Karonis "
        "et al. 2000).",
    .not_applicable_because = needs_nodes,
    .way = BySchedule{write_composed<compose>, composed_cost<compose>},
    .cost_text =
        "that of a gather and a broadcast of p n within a node, and an allgather of r n between "
        "nodes; r = ranks of a node",
};

extern const AlgorithmDescriptor two_level_lanes = {
    .collective = Collective::allgather,
    .name = "two_level_lanes",
    .summary =
        "Each rank exchanges its block with those of its place on the other nodes, then all that "
        "it has on its node (full-lane allgather, Traff and Hunold 2020).",
    .not_applicable_because = needs_level_nodes,
    .way = BySchedule{write_composed<compose_lanes>, composed_cost<compose_lanes>},
    .cost_text = "that of an allgather between m nodes, and of one of m n within a node; m = nodes",
};

}  // namespace tasuki::coll::allgather
