#include "coll/patterns/tree.hpp"

#include <algorithm>

#include "coll/patterns/partition.hpp"

namespace tasuki::coll {
namespace {

/// Weight of the lowest nonzero digit of v; for v = 0 the first power that is >= ranks.
int lowest_weight(int ranks, int relative, int radix) {
  int weight = 1;
  while (weight < ranks && (relative / weight) % radix == 0) weight *= radix;
  return weight;
}

int kary_depth(int relative, int arity) {
  int depth = 0;
  for (int v = relative; v > 0; v = (v - 1) / arity) ++depth;
  return depth;
}

/// The ranks other than the root cut into chains of consecutive relative numbers.
class Chains {
 public:
  /// Requires: ranks > 1.
  Chains(int ranks, int chains)
      : number_(std::min(chains, ranks - 1)), parts_(as_size(ranks - 1), number_) {}

  int number() const { return number_; }
  int first(int chain) const { return 1 + static_cast<int>(parts_.offset(chain)); }
  int chain_of(int relative) const {
    int chain = 0;
    while (first(chain + 1) <= relative) ++chain;
    return chain;
  }

 private:
  int number_;
  Partition parts_;
};

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
  for (int rest = relative; rest > 0; rest /= radix) node.depth += rest % radix != 0 ? 1 : 0;
  // The first number with the most nonzero digits is 1...1 in that radix.
  for (long long ones = 1; ones < ranks; ones = ones * radix + 1) ++node.height;
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
  node.depth = kary_depth(relative, arity);
  node.height = kary_depth(ranks - 1, arity);
  return node;
}

TreeNode chain_tree(int ranks, int rank, int root, int chains) {
  const int relative = wrapped(rank - root, ranks);
  TreeNode node;
  if (ranks == 1) return node;
  const Chains cut(ranks, chains);
  node.height = cut.first(1) - cut.first(0);
  if (relative == 0) {
    for (int chain = 0; chain < cut.number(); ++chain) {
      node.children.push_back((cut.first(chain) + root) % ranks);
    }
    return node;
  }
  const int chain = cut.chain_of(relative);
  node.parent = relative == cut.first(chain) ? root : wrapped(rank - 1, ranks);
  if (relative + 1 < cut.first(chain + 1)) node.children.push_back((rank + 1) % ranks);
  node.depth = relative - cut.first(chain) + 1;
  return node;
}

TreeNode in_order_tree(int ranks, int rank, int root) {
  TreeNode node;
  int first = 0;
  int last = ranks;
  int here = root;
  // The middle of the ranks on the side where `rank` is, until that is itself.
  while (here != rank) {
    node.parent = here;
    (rank < here ? last : first) = rank < here ? here : here + 1;
    here = first + (last - first) / 2;
    ++node.depth;
  }
  if (first < here) {
    node.children.push_back(first + (here - first) / 2);
    node.left_count = 1;
  }
  if (here + 1 < last) node.children.push_back(here + 1 + (last - here - 1) / 2);
  // Halving n ranks makes a tree of floor(log2 n) + 1 levels.
  node.height = ceil_log(std::max(root, ranks - 1 - root) + 1);
  return node;
}

}  // namespace tasuki::coll
