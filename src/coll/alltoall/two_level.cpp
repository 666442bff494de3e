#include "coll/levels/levels.hpp"

namespace tasuki::coll::alltoall {
namespace {

void compose_lanes(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_lanes(shape);
  const Placement& placement = *shape.placement;
  const std::size_t all_count = as_size(shape.ranks) * shape.count;
  const std::size_t lane_count = as_size(levels.across.size()) * shape.count;
  const std::size_t node_count = as_size(levels.node.size()) * shape.count;
  const Slice input{Buffer::input, 0, all_count};
  const Slice output{Buffer::output, 0, all_count};
  const auto block = [&](const Slice& of, std::size_t offset) {
    return of.part(offset, shape.count);
  };

  // To each rank of the node what is for its lane, by nodes.
  const Slice for_lanes = whole.scratch(all_count);
  arrange_in_order(whole, shape, ranks_by_lane(placement), input, for_lanes);
  const Slice of_node = whole.scratch(all_count);
  whole.part(levels.node, {Collective::alltoall, lane_count}, for_lanes, of_node);

  // To each node what the ranks of this one have for it, by places.
  const Slice for_nodes = for_lanes;
  for (int place = 0; place < levels.node.size(); ++place) {
    for (int node = 0; node < levels.across.size(); ++node) {
      whole.copy(block(of_node, as_size(place) * lane_count + as_size(node) * shape.count),
                 block(for_nodes, as_size(node) * node_count + as_size(place) * shape.count));
    }
  }
  const bool is_arranged = placement.is_in_order();
  const Slice arrived = is_arranged ? output : of_node;
  whole.part(levels.across, {Collective::alltoall, node_count}, for_nodes, arrived);
  if (!is_arranged) arrange_by_rank(whole, shape, placement.ranks_by_node(), arrived, output);
}

}  // namespace

extern const AlgorithmDescriptor two_level_lanes = {
    .collective = Collective::alltoall,
    .name = "two_level_lanes",
    .summary =
        "The ranks of a node exchange what each is to send for all, so that a rank sends one "
        "message to each other node (Traff and Rougier 2014).",
    .not_applicable_because = needs_level_nodes,
    .way = BySchedule{write_composed<compose_lanes>, composed_cost<compose_lanes>},
    .cost_text =
        "that of an alltoall of m n within a node, and of one of r n between nodes; m = nodes, r = "
        "ranks of a node",
};

}  // namespace tasuki::coll::alltoall
