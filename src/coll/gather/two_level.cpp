#include "coll/levels/levels.hpp"

namespace tasuki::coll {
namespace gather {
namespace {

void compose(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_leaders(shape, Leader::root);
  const bool is_root = shape.rank == shape.root;
  const Placement& placement = *shape.placement;
  const Slice own{Buffer::input, 0, shape.count};
  const Slice all{Buffer::output, 0, as_size(shape.ranks) * shape.count};
  const std::size_t node_count = as_size(levels.node.size()) * shape.count;

  const bool is_arranged = placement.is_in_order();
  const Slice arrived = !is_root || is_arranged ? all : whole.scratch(all.count);
  Slice of_node;
  if (is_root) of_node = blocks_of_node(shape, arrived, levels.node_number);
  if (!is_root && levels.is_leader()) of_node = whole.scratch(node_count);
  whole.part(levels.node, {Collective::gather, shape.count, levels.leader_place}, own, of_node);
  whole.part(levels.across,
             {Collective::gatherv, 0, placement.node_of(shape.root), false, node_counts(shape)},
             of_node, arrived);
  if (is_root && !is_arranged)
    arrange_by_rank(whole, shape, placement.ranks_by_node(), arrived, all);
}

}  // namespace

extern const AlgorithmDescriptor two_level = {
    .collective = Collective::gather,
    .name = "two_level",
    .summary = "Gathered on each node, then from one rank of each node (Kielmann et al. 1999).",
    .not_applicable_because = needs_nodes,
    .way = BySchedule{write_composed<compose>, composed_cost<compose>},
    .cost_text =
        "that of a gather within a node and of one of r n between nodes; r = ranks of a "
        "node",
};

}  // namespace gather

namespace scatter {
namespace {

void compose(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_leaders(shape, Leader::root);
  const bool is_root = shape.rank == shape.root;
  const Placement& placement = *shape.placement;
  const Slice own{Buffer::output, 0, shape.count};
  const Slice all{Buffer::input, 0, as_size(shape.ranks) * shape.count};
  const std::size_t node_count = as_size(levels.node.size()) * shape.count;

  Slice sent = all;
  if (is_root && !placement.is_in_order()) {
    sent = whole.scratch(all.count);
    arrange_in_order(whole, shape, placement.ranks_by_node(), all, sent);
  }
  const Slice of_node = levels.is_leader() ? whole.scratch(node_count) : Slice{};
  whole.part(levels.across,
             {Collective::scatterv, 0, placement.node_of(shape.root), false, node_counts(shape)},
             sent, of_node);
  whole.part(levels.node, {Collective::scatter, shape.count, levels.leader_place}, of_node, own);
}

}  // namespace

extern const AlgorithmDescriptor two_level = {
    .collective = Collective::scatter,
    .name = "two_level",
    .summary = "To one rank of each node, which scatters there (Kielmann et al. 1999).",
    .not_applicable_because = needs_nodes,
    .way = BySchedule{write_composed<compose>, composed_cost<compose>},
    .cost_text =
        "that of a scatter of r n between nodes and of one within a node; r = ranks of a "
        "node",
};

}  // namespace scatter
}  // namespace tasuki::coll
