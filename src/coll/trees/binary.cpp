#include "coll/phases/tree_pipeline.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll {
namespace {

constexpr ParameterDeclaration parameters[] = {segment_bytes(32 << 10)};

TreeNode complete_tree(const Shape& shape, int root, const Parameters&) {
  return kary_tree(shape.ranks, shape.rank, root, 2);
}

TreeNode ordered_tree(const Shape& shape, int root, const Parameters&) {
  return in_order_tree(shape.ranks, shape.rank, root);
}

}  // namespace

namespace broadcast {

extern const AlgorithmDescriptor binary = {
    .collective = Collective::broadcast,
    .name = "binary",
    .summary =
        "Down a complete binary tree, the segments following each other (see Pjesivac-Grbovic et "
        "al. 2007).",
    .parameters = parameters,
    .way = broadcast_along<complete_tree>,
    .cost_text =
        "rounds: floor(log2 p) + s - 1 with enough ports; elements: (p - 1) n; s = segments",
};

}  // namespace broadcast

namespace reduce {

extern const AlgorithmDescriptor binary = {
    .collective = Collective::reduce,
    .name = "binary",
    .summary =
        "Up a complete binary tree, the segments following each other (see Pjesivac-Grbovic et al. "
        "2007).",
    .not_applicable_because = needs_commutative,
    .parameters = parameters,
    .way = reduce_along<complete_tree>,
    .cost_text =
        "rounds: floor(log2 p) + s - 1 with enough ports; elements: (p - 1) n; s = segments",
};

extern const AlgorithmDescriptor in_order_binary = {
    .collective = Collective::reduce,
    .name = "in_order_binary",
    .summary =
        "Up a binary tree whose subtrees are ranges of ranks, so that operators need not commute, "
        "for any root (after Open MPI).",
    .parameters = parameters,
    .way = reduce_along<ordered_tree, any_ports, true>,
    .cost_text =
        "rounds: 1 + floor(log2 of the larger side of the root) + s - 1 with enough ports; "
        "elements: (p - 1) n; s = segments",
};

}  // namespace reduce

}  // namespace tasuki::coll
