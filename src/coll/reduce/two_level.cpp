#include "coll/levels/levels.hpp"

namespace tasuki::coll::reduce {
namespace {

void compose(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_leaders(shape, Leader::root);
  const bool is_root = shape.rank == shape.root;
  const Slice input{Buffer::input, 0, shape.count};
  const Slice output{Buffer::output, 0, shape.count};
  // Only the root may write to its output.
  const Slice of_node = is_root || !levels.is_leader() ? output : whole.scratch(shape.count);
  const int root_node = shape.placement->node_of(shape.root);
  const bool in_place = shape.in_place && levels.node_number == root_node;
  whole.part(levels.node, {Collective::reduce, shape.count, levels.leader_place, in_place}, input,
             of_node);
  whole.part(levels.across, {Collective::reduce, shape.count, root_node, true}, of_node, output);
}

}  // namespace

extern const AlgorithmDescriptor two_level = {
    .collective = Collective::reduce,
    .name = "two_level",
    .summary = "Combined on each node, then between the nodes (Kielmann et al. 1999).",
    .not_applicable_because = needs_nodes_in_rank_order,
    .way = BySchedule{write_composed<compose>, composed_cost<compose>},
    .cost_text = "that of a reduce within a node and of one between the nodes",
};

}  // namespace tasuki::coll::reduce
