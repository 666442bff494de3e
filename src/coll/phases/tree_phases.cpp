#include "coll/phases/tree_phases.hpp"

namespace tasuki::coll {

void send_down(ScheduleBuilder& builder, const TreeNode& node, Slice data) {
  if (node.parent >= 0) builder.receive(node.parent, data);
  builder.next_round();
  for (const int child : node.children) builder.send(child, data);
  builder.next_round();
}

void knomial_reduce(Accumulator& accumulator, const TreeNode& node) {
  // Children were listed for a broadcast, the farthest first; the nearest are the next operands.
  for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) {
    accumulator.absorb(*child, Side::right);
  }
  if (node.parent >= 0) accumulator.send(node.parent);
}

}  // namespace tasuki::coll
