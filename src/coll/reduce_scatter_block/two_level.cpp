#include "coll/levels/levels.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

void compose_lanes(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_lanes(shape);
  const std::size_t all_count = as_size(shape.ranks) * shape.count;
  const std::size_t lane_count = as_size(levels.across.size()) * shape.count;
  const Slice input{Buffer::input, 0, all_count};

  // To each rank of the node the operands of its lane, by nodes.
  const Slice for_lanes = whole.scratch(all_count);
  arrange_in_order(whole, shape, ranks_by_lane(*shape.placement), input, for_lanes);
  const Slice lane = whole.scratch(lane_count);
  whole.part(levels.node, {Collective::reduce_scatter_block, lane_count}, for_lanes, lane);
  whole.part(levels.across, {Collective::reduce_scatter_block, shape.count}, lane,
             {Buffer::output, 0, shape.count});
}

}  // namespace

extern const AlgorithmDescriptor two_level_lanes = {
    .collective = Collective::reduce_scatter_block,
    .name = "two_level_lanes",
    .summary =
        "Reduce-scatter on each node, then by each rank with those of its place on the other nodes "
        "(full-lane reduce-scatter, Traff and Hunold 2020).",
    .not_applicable_because = needs_level_nodes_in_rank_order,
    .way = BySchedule{write_composed<compose_lanes>, composed_cost<compose_lanes>},
    .cost_text =
        "that of a reduce-scatter of m n within a node, and of one of n between nodes; m = nodes",
};

}  // namespace tasuki::coll::reduce_scatter_block
