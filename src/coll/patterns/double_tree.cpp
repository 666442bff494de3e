#include "coll/patterns/double_tree.hpp"

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {
namespace {

int lowest_bit(int number) { return number & -number; }

int parent_of(int number, int ranks) {
  const int weight = lowest_bit(number);
  const int up = number + weight;
  const bool hangs_below_next = (number & (2 * weight)) == 0 && up < ranks;
  return hangs_below_next ? up : number - weight;
}

}  // namespace

TreeNode double_tree(int ranks, int rank, bool second) {
  const bool mirror = second && ranks % 2 == 0;
  const bool shift = second && ranks % 2 == 1;
  // Both relabellings and their inverses.
  const auto number_of = [&](int r) {
    return mirror ? ranks - 1 - r : shift ? wrapped(r - 1, ranks) : r;
  };
  const auto rank_of = [&](int n) { return mirror ? ranks - 1 - n : shift ? (n + 1) % ranks : n; };
  const int number = number_of(rank);
  TreeNode node;
  for (int above = number; above != 0; above = parent_of(above, ranks)) ++node.depth;
  if (number != 0) node.parent = rank_of(parent_of(number, ranks));
  const int reach = number == 0 ? floor_power(ranks) : lowest_bit(number) / 2;
  for (int step = reach; step >= 1; step /= 2) {
    for (const int child : {number - step, number + step}) {
      if (child > 0 && child < ranks && parent_of(child, ranks) == number) {
        node.children.push_back(rank_of(child));
      }
    }
  }
  node.height = ceil_log(ranks);
  return node;
}

}  // namespace tasuki::coll
