// Two binary trees in which (but for one or two ranks) the inner nodes of one are leaves of the
// other, so that each can carry half of a vector (Sanders, Speck and Traff 2009).
//
// The first is the in-order tree of the numbers 1..p-1 below root 0: a number with lowest set bit
// w hangs below the neighbour at distance w whose lowest bit is 2 w, or, where that is beyond p,
// below the one before it. Odd numbers are leaves. The second tree is the first with ranks mirrored
// (even p) or shifted by one (odd p), so that odd ranks are its inner nodes.
// Thread-safety: pure functions.
#pragma once

#include "coll/patterns/tree.hpp"

namespace tasuki::coll {

/// A node of one of the two trees (`second`: which), and its distance from the tree's root.
struct DoubleTreeNode {
  TreeNode node;
  int depth = 0;
};

DoubleTreeNode double_tree_node(int ranks, int rank, bool second);

/// The largest depth in either tree.
int double_tree_depth(int ranks);

}  // namespace tasuki::coll
