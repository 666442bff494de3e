#include "coll/patterns/numbers.hpp"
#include "coll/phases/tree_phases.hpp"

namespace tasuki::coll::reduce {
namespace {

/// Subtrees cover neighbouring ranks only in a tree rooted at rank 0, so that is where operators
/// that do not commute are reduced to.
int tree_root(const Shape& shape) { return shape.commutative ? shape.root : 0; }

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const int tree = tree_root(shape);
  const bool is_root = shape.rank == shape.root;
  const TreeNode node = knomial_tree(shape.ranks, shape.rank, tree, 2);
  const Slice own{is_root && shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  const bool needs_home = !node.children.empty() && !is_root;
  const Slice home = is_root      ? Slice{Buffer::output, 0, shape.count}
                     : needs_home ? builder.scratch(shape.count)
                                  : own;
  Accumulator accumulator(builder, own, home);
  knomial_reduce(accumulator, node);
  if (tree != shape.root) {
    if (shape.rank == tree) accumulator.send(shape.root);
    if (is_root) accumulator.replace(tree);
  }
  if (is_root) accumulator.settle();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Shape& shape = shapes.front();
  const std::size_t forwarded = tree_root(shape) != shape.root ? 1 : 0;
  return {as_size(ceil_log(shape.ranks)) + forwarded,
          (as_size(shape.ranks - 1) + forwarded) * shape.count};
}

}  // namespace

extern const AlgorithmDescriptor binomial = {
    .collective = Collective::reduce,
    .name = "binomial",
    .summary =
        "Up a binomial tree; by way of rank 0 if the operator does not commute (see Thakur, "
        "Rabenseifner and Gropp 2005).",
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: ceil(log2 p); elements: (p - 1) n; one hop more where it goes by way of rank 0",
};

}  // namespace tasuki::coll::reduce
