#include "coll/levels/levels.hpp"

namespace tasuki::coll::broadcast {
namespace {

void compose(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_leaders(shape, Leader::root);
  const Slice data{Buffer::output, 0, shape.count};
  const int root_node = shape.placement->node_of(shape.root);
  whole.part(levels.across, {Collective::broadcast, shape.count, root_node}, {}, data);
  whole.part(levels.node, {Collective::broadcast, shape.count, levels.leader_place}, {}, data);
}

void compose_lanes(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_lanes(shape);
  const Placement& placement = *shape.placement;
  const int root_node = placement.node_of(shape.root);
  const bool is_at_root = levels.node_number == root_node;
  const Slice data{Buffer::output, 0, shape.count};
  const Partition lanes(shape.count, levels.node.size());
  const Slice lane = data.part(lanes.offset(levels.node.place), lanes.count(levels.node.place));

  Group scatter = levels.node;
  if (!is_at_root) scatter.place = -1;
  const std::vector<std::size_t> counts = counts_of(lanes, levels.node.size());
  const int root_place = placement.place_of(shape.root);
  whole.part(scatter, {Collective::scatterv, 0, root_place, false, counts}, data, lane);
  whole.part(levels.across, {Collective::broadcast, lane.count, root_node}, {}, lane);
  whole.part(levels.node, {Collective::allgatherv, 0, 0, false, counts}, lane, data);
}

}  // namespace

extern const AlgorithmDescriptor two_level = {
    .collective = Collective::broadcast,
    .name = "two_level",
    .summary =
        "To one rank of each node, which passes it on there (Karonis et al. 2000; MagPIe, "
        "Kielmann et al. 1999).",
    .not_applicable_because = needs_nodes,
    .way = BySchedule{write_composed<compose>, composed_cost<compose>},
    .cost_text = "that of a broadcast between the nodes and of one within a node",
};

extern const AlgorithmDescriptor two_level_lanes = {
    .collective = Collective::broadcast,
    .name = "two_level_lanes",
    .summary =
        "Each rank of a node passes its share on to the other nodes, where the shares are put "
        "together (full-lane broadcast, Traff and Hunold 2020).",
    .not_applicable_because = needs_level_nodes,
    .way = BySchedule{write_composed<compose_lanes>, composed_cost<compose_lanes>},
    .cost_text =
        "that of a scatter on the root's node, a broadcast of n / r between nodes, and an "
        "allgather within a node; r = ranks of a node",
};

}  // namespace tasuki::coll::broadcast
