#include <algorithm>

#include "coll/phases/tree_pipeline.hpp"

namespace tasuki::coll {
namespace {

constexpr ParameterDeclaration parameters[] = {tree_radix, segment_bytes(0)};

TreeNode down(const Shape& shape, int root, const Parameters& given) {
  return knomial_tree(shape.ranks, shape.rank, root, radix_of(given));
}

/// The nearest ranks are the next operands.
TreeNode up(const Shape& shape, int root, const Parameters& given) {
  TreeNode node = down(shape, root, given);
  std::ranges::reverse(node.children);
  return node;
}

}  // namespace

namespace broadcast {

extern const AlgorithmDescriptor knomial = {
    .collective = Collective::broadcast,
    .name = "knomial",
    .summary =
        "Down a k-nomial tree, the segments following each other (Open MPI, UCC; binomial is radix "
        "2).",
    .parameters = parameters,
    .way = broadcast_along<down>,
    .cost_text =
        "rounds: height of the tree + s - 1 with enough ports; elements: (p - 1) n; s = segments",
};

}  // namespace broadcast

namespace reduce {

extern const AlgorithmDescriptor knomial = {
    .collective = Collective::reduce,
    .name = "knomial",
    .summary =
        "Up a k-nomial tree, the segments following each other (Open MPI, UCC; binomial is radix "
        "2).",
    .parameters = parameters,
    .way = reduce_along<up>,
    .cost_text =
        "rounds: height of the tree + s - 1 with enough ports; elements: (p - 1) n; s = segments; "
        "one hop more where it goes by way of rank 0",
};

}  // namespace reduce

}  // namespace tasuki::coll
