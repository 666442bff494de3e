#include "coll/patterns/tree.hpp"

#include <algorithm>

#include "coll/patterns/numbers.hpp"
#include "coll/patterns/partition.hpp"

namespace tasuki::coll {
namespace {

/// Weight of the lowest nonzero digit of v; for v = 0 the first power that is >= ranks.
int lowest_weight(int ranks, int relative, int radix) {
  int weight = 1;
  while (weight < ranks && (relative / weight) % radix == 0) weight *= radix;
  return weight;
}

}  // namespace

TreeNode knomial_tree(int ranks, int rank, int root, int radix) {
  const int relative = wrapped(rank - root, ranks);
  const int weight = lowest_weight(ranks, relative, radix);
  TreeNode node;
  if (relative != 0) {
    const int digit = (relative / weight) % radix;
    node.parent = (relative - digit * weight + root) % ranks;
  }
  for (int step = 1; step < weight; step *= radix) {
    for (int digit = 1; digit < radix && relative + digit * step < ranks; ++digit) {
      node.children.push_back((relative + digit * step + root) % ranks);
    }
  }
  std::reverse(node.children.begin(), node.children.end());
  return node;
}

int knomial_subtree_size(int ranks, int relative, int radix) {
  return std::min(lowest_weight(ranks, relative, radix), ranks - relative);
}

int knomial_rounds(int ranks, int radix) {
  int rounds = 0;
  int served = 0;
  for (const int child : knomial_tree(ranks, 0, 0, radix).children) {
    ++served;
    // A child with s ranks below it is the root of a tree of s ranks.
    rounds =
        std::max(rounds, served + knomial_rounds(knomial_subtree_size(ranks, child, radix), radix));
  }
  return rounds;
}

TreeNode kary_tree(int ranks, int rank, int root, int arity) {
  const int relative = wrapped(rank - root, ranks);
  TreeNode node;
  if (relative != 0) node.parent = ((relative - 1) / arity + root) % ranks;
  for (int i = 1; i <= arity && relative * arity + i < ranks; ++i) {
    node.children.push_back((relative * arity + i + root) % ranks);
  }
  return node;
}

TreeNode chain_tree(int ranks, int rank, int root, int chains) {
  const int relative = wrapped(rank - root, ranks);
  const int used = std::min(chains, ranks - 1);
  TreeNode node;
  if (used == 0) return node;
  const Partition parts(as_size(ranks - 1), used);
  const auto first = [&](int chain) { return 1 + static_cast<int>(parts.offset(chain)); };
  if (relative == 0) {
    for (int chain = 0; chain < used; ++chain) {
      node.children.push_back((first(chain) + root) % ranks);
    }
    return node;
  }
  int chain = 0;
  while (first(chain + 1) <= relative) ++chain;
  node.parent = relative == first(chain) ? root : wrapped(rank - 1, ranks);
  if (relative + 1 < first(chain + 1)) node.children.push_back((rank + 1) % ranks);
  return node;
}

int kary_depth(int ranks, int arity) {
  int depth = 0;
  for (int v = ranks - 1; v > 0; v = (v - 1) / arity) ++depth;
  return depth;
}

}  // namespace tasuki::coll
