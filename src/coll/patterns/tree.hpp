// Trees on ranks: who is my parent, who are my children.
//
// Every tree is described for a root by numbers relative to it: v = (rank - root) mod ranks.
// Thread-safety: pure functions.
#pragma once

#include <vector>

namespace tasuki::coll {

/// One rank's place in a tree.
struct TreeNode {
  int parent = -1;            ///< Rank; -1 at the root.
  std::vector<int> children;  ///< Ranks, in the order in which a broadcast serves them.
  int depth = 0;              ///< Distance from the root.
  int height = 0;             ///< The largest distance of any rank.
  int left_count = 0;  ///< So many children, the first ones, have operands left of this rank's.
};

/// The k-nomial tree (radix 2: binomial): clear the lowest nonzero digit of v to find the parent.
/// A subtree covers consecutive v, and larger subtrees are served first.
/// Requires: radix >= 2.
TreeNode knomial_tree(int ranks, int rank, int root, int radix);
/// How many ranks the subtree below relative number v has (v itself included).
int knomial_subtree_size(int ranks, int relative, int radix);
/// Rounds of a broadcast or a reduction along the whole tree if a rank has one port.
int knomial_rounds(int ranks, int radix);

/// The complete k-ary tree in breadth-first order (k = 1: a chain).
TreeNode kary_tree(int ranks, int rank, int root, int arity);
/// The root feeds `chains` chains of nearly equal length (1: a pipeline) of consecutive v.
TreeNode chain_tree(int ranks, int rank, int root, int chains);

/// Each rank's subtree is a range of ranks around it: the root's children halve the ranks below
/// and above it, and so on.
TreeNode in_order_tree(int ranks, int rank, int root);

}  // namespace tasuki::coll
