#include "coll/phases/scatter_allgather_phases.hpp"

#include "coll/patterns/numbers.hpp"
#include "coll/patterns/tree.hpp"
#include "coll/phases/blocks.hpp"

namespace tasuki::coll {
namespace {

/// The blocks of a whole subtree.
Slice subtree_blocks(const Shape& shape, int relative) {
  const int size = knomial_subtree_size(shape.ranks, relative, 2);
  return Blocks::cut(Buffer::output, shape.count, shape.ranks).range(relative, relative + size);
}

}  // namespace

void scatter_for_broadcast(ScheduleBuilder& builder, const Shape& shape) {
  const TreeNode node = knomial_tree(shape.ranks, shape.rank, shape.root, 2);
  const auto relative = [&](int rank) { return wrapped(rank - shape.root, shape.ranks); };
  if (node.parent >= 0) {
    builder.receive(node.parent, subtree_blocks(shape, relative(shape.rank)));
    builder.next_round();
  }
  for (const int child : node.children) {
    builder.send(child, subtree_blocks(shape, relative(child)));
  }
  builder.next_round();
}

std::size_t scatter_for_broadcast_elements(const Shape& shape) {
  std::size_t elements = 0;
  for (int v = 1; v < shape.ranks; ++v) elements += subtree_blocks(shape, v).count;
  return elements;
}

}  // namespace tasuki::coll
