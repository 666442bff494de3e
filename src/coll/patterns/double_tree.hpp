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

/// In one of the two trees (`second`: which), both rooted wherever they are.
TreeNode double_tree(int ranks, int rank, bool second);

}  // namespace tasuki::coll
