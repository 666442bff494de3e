#include "coll/levels/levels.hpp"

namespace tasuki::coll {
namespace {

/// Combines what the ranks of earlier nodes have with `result`, the scan or exscan of the node.
/// `total` has what the node's ranks have together, on its last rank. `is_first`: there is no
/// result of the node yet.
void add_earlier_nodes(Composition& whole, const Shape& shape, const Levels& levels, Slice total,
                       Slice result, bool is_first) {
  const Slice earlier = whole.scratch(shape.count);
  whole.part(levels.across, {Collective::exscan, shape.count}, total, earlier);
  if (levels.node_number == 0) return;
  whole.part(levels.node, {Collective::broadcast, shape.count, levels.leader_place}, {}, earlier);
  whole.local(is_first ? LocalKind::copy : LocalKind::reduce, earlier, result);
}

std::string needs_nodes_one_after_the_other(const Shape& shape, const Parameters& parameters) {
  std::string why_not = needs_nodes(shape, parameters);
  if (!why_not.empty()) return why_not;
  return shape.placement->is_in_order() ? "" : "ranks do not lie on the nodes one after the other";
}

}  // namespace

namespace scan {
namespace {

void compose(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_leaders(shape, Leader::last);
  const Slice output{Buffer::output, 0, shape.count};
  const Slice input{shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  whole.part(levels.node, {Collective::scan, shape.count, 0, shape.in_place}, input, output);
  add_earlier_nodes(whole, shape, levels, output, output, false);
}

}  // namespace

extern const AlgorithmDescriptor two_level = {
    .collective = Collective::scan,
    .name = "two_level",
    .summary = "A scan on each node, and an exscan of what the nodes have (Kielmann et al. 1999).",
    .not_applicable_because = needs_nodes_one_after_the_other,
    .way = BySchedule{write_composed<compose>, composed_cost<compose>},
    .cost_text = "that of a scan and a broadcast within a node, and of an exscan between nodes",
};

}  // namespace scan

namespace exscan {
namespace {

void compose(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_leaders(shape, Leader::last);
  const Slice output{Buffer::output, 0, shape.count};
  const Slice input{shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  const bool is_first = levels.node.place == 0;
  const Slice total = levels.is_leader() ? whole.scratch(shape.count) : Slice{};
  if (levels.is_leader()) whole.copy(input, total);
  whole.part(levels.node, {Collective::exscan, shape.count, 0, shape.in_place}, input, output);
  if (levels.is_leader() && !is_first) whole.local(LocalKind::reduce, output, total);
  add_earlier_nodes(whole, shape, levels, total, output, is_first);
}

}  // namespace

extern const AlgorithmDescriptor two_level = {
    .collective = Collective::exscan,
    .name = "two_level",
    .summary = "An exscan on each node, and one of what the nodes have (Kielmann et al. 1999).",
    .not_applicable_because = needs_nodes_one_after_the_other,
    .way = BySchedule{write_composed<compose>, composed_cost<compose>},
    .cost_text = "that of an exscan and a broadcast within a node, and of an exscan between nodes",
};

}  // namespace exscan
}  // namespace tasuki::coll
