#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "coll/patterns/bine.hpp"
#include "coll/patterns/double_tree.hpp"
#include "coll/patterns/fold.hpp"
#include "coll/patterns/numbers.hpp"
#include "coll/patterns/partition.hpp"
#include "coll/patterns/tree.hpp"

namespace tasuki::coll {
namespace {

TEST(PatternsTest, Numbers) {
  EXPECT_EQ(floor_power(1), 1);
  EXPECT_EQ(floor_power(9), 8);
  EXPECT_EQ(floor_power(26, 3), 9);
  EXPECT_EQ(ceil_log(1), 0);
  EXPECT_EQ(ceil_log(8), 3);
  EXPECT_EQ(ceil_log(9), 4);
  EXPECT_EQ(ceil_log(10, 3), 3);
  EXPECT_TRUE(is_power(27, 3));
  EXPECT_FALSE(is_power(28, 3));
  EXPECT_EQ(wrapped(-1, 5), 4);
}

TEST(PatternsTest, PartitionCoversEverythingOnce) {
  for (const std::size_t count : {0U, 1U, 6U, 7U, 8U, 1000U}) {
    const Partition parts(count, 7);
    EXPECT_EQ(parts.offset(0), 0U);
    EXPECT_EQ(parts.offset(7), count);
    for (int i = 0; i < 7; ++i) {
      EXPECT_LE(parts.count(i), parts.count(0));
      EXPECT_GE(parts.count(i) + 1, parts.count(0));
    }
  }
}

TEST(PatternsTest, BineHalvesLeaveEachRankAPartOfItsOwn) {
  for (int ranks = 1; ranks <= 4096; ranks *= 2) {
    const BineButterfly butterfly(ranks);
    std::vector<int> part(static_cast<std::size_t>(ranks), 0);
    for (int step = 0; step < butterfly.steps(); ++step) {
      for (int rank = 0; rank < ranks; ++rank) {
        const int peer = butterfly.peer(rank, step);
        EXPECT_EQ(butterfly.peer(peer, step), rank);
        EXPECT_NE(butterfly.takes_high(rank, step), butterfly.takes_high(peer, step));
        EXPECT_EQ(part[static_cast<std::size_t>(rank)], part[static_cast<std::size_t>(peer)])
            << "both work on the same parts";
      }
      for (int rank = 0; rank < ranks; ++rank) {
        part[static_cast<std::size_t>(rank)] |= butterfly.takes_high(rank, step) << step;
      }
    }
    std::sort(part.begin(), part.end());
    for (int rank = 0; rank < ranks; ++rank) EXPECT_EQ(part[static_cast<std::size_t>(rank)], rank);
  }
}

TEST(PatternsTest, FoldGroupsNeighbours) {
  for (int radix = 2; radix <= 5; ++radix) {
    for (int ranks = 1; ranks <= 100; ++ranks) {
      const Fold fold(ranks, radix);
      EXPECT_TRUE(is_power(fold.active(), radix));
      int next = 0;
      for (int group = 0; group < fold.active(); ++group) {
        EXPECT_EQ(fold.leader(group), next);
        for (int member = 0; member < fold.size(group); ++member) {
          EXPECT_EQ(fold.group(next + member), group);
          EXPECT_EQ(fold.leads(next + member), member == 0);
        }
        next += fold.size(group);
      }
      EXPECT_EQ(next, ranks);
    }
  }
}

/// Parents and children agree, and everybody hangs on the root.
template <class MakeNode>
void expect_tree(int ranks, int root, MakeNode node_of) {
  int edges = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const TreeNode node = node_of(rank);
    EXPECT_EQ(node.parent == -1, rank == root);
    for (const int child : node.children) EXPECT_EQ(node_of(child).parent, rank);
    edges += static_cast<int>(node.children.size());
    int above = rank;
    int steps = 0;
    while (above != root && steps++ < ranks) above = node_of(above).parent;
    EXPECT_EQ(above, root);
  }
  EXPECT_EQ(edges, ranks - 1);
}

TEST(PatternsTest, TreesAreTrees) {
  for (const int ranks : {1, 2, 3, 7, 8, 9, 26, 27, 28, 33}) {
    for (const int root : {0, ranks / 2, ranks - 1}) {
      for (int k = 1; k <= 5; ++k) {
        expect_tree(ranks, root, [&](int r) { return kary_tree(ranks, r, root, k); });
        expect_tree(ranks, root, [&](int r) { return chain_tree(ranks, r, root, k); });
        expect_tree(ranks, root, [&](int r) { return knomial_tree(ranks, r, root, k + 1); });
      }
    }
  }
}

TEST(PatternsTest, KnomialSubtreesAreConsecutive) {
  for (const int radix : {2, 3, 4}) {
    for (int relative = 0; relative < 33; ++relative) {
      int size = 1;
      for (const int child : knomial_tree(33, relative, 0, radix).children) {
        size += knomial_subtree_size(33, child, radix);
        EXPECT_GT(child, relative);
        EXPECT_LE(child + knomial_subtree_size(33, child, radix),
                  relative + knomial_subtree_size(33, relative, radix));
      }
      EXPECT_EQ(size, knomial_subtree_size(33, relative, radix));
    }
  }
}

TEST(PatternsTest, InOrderSubtreesAreRangesAroundTheirRoot) {
  for (const int ranks : {1, 2, 3, 7, 8, 9, 26, 33}) {
    for (const int root : {0, 1 % ranks, ranks / 2, ranks - 1}) {
      expect_tree(ranks, root, [&](int r) { return in_order_tree(ranks, r, root); });
      for (int rank = 0; rank < ranks; ++rank) {
        const TreeNode place = in_order_tree(ranks, rank, root);
        for (std::size_t i = 0; i < place.children.size(); ++i) {
          const bool is_lower = static_cast<int>(i) < place.left_count;
          EXPECT_EQ(place.children[i] < rank, is_lower);
        }
      }
    }
  }
}

/// Following parents from each rank takes as many steps as its depth says, at most the height.
template <class MakeNode>
void expect_depths(int ranks, MakeNode node_of) {
  int deepest = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    int steps = 0;
    for (int above = rank; node_of(above).parent >= 0; above = node_of(above).parent) ++steps;
    EXPECT_EQ(node_of(rank).depth, steps);
    deepest = std::max(deepest, steps);
  }
  for (int rank = 0; rank < ranks; ++rank) EXPECT_EQ(node_of(rank).height, deepest);
}

TEST(PatternsTest, DepthsAndHeights) {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    for (const int root : {0, ranks / 2}) {
      for (int k = 1; k <= 5; ++k) {
        expect_depths(ranks, [&](int r) { return kary_tree(ranks, r, root, k); });
        expect_depths(ranks, [&](int r) { return chain_tree(ranks, r, root, k); });
        expect_depths(ranks, [&](int r) { return knomial_tree(ranks, r, root, k + 1); });
      }
      expect_depths(ranks, [&](int r) { return in_order_tree(ranks, r, root); });
    }
    for (const bool second : {false, true}) {
      expect_depths(ranks, [&](int r) { return double_tree(ranks, r, second); });
    }
  }
}

TEST(PatternsTest, InnerNodesOfOneDoubleTreeAreLeavesOfTheOther) {
  for (int ranks = 2; ranks <= 40; ++ranks) {
    int inner_in_both = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const bool first = !double_tree(ranks, rank, false).children.empty();
      const bool second = !double_tree(ranks, rank, true).children.empty();
      inner_in_both += first && second ? 1 : 0;
    }
    EXPECT_LE(inner_in_both, 1) << ranks;
  }
}

TEST(PatternsTest, BinomialRoundsAreTheLogarithm) {
  for (int ranks = 1; ranks <= 100; ++ranks) EXPECT_EQ(knomial_rounds(ranks, 2), ceil_log(ranks));
}

}  // namespace
}  // namespace tasuki::coll
