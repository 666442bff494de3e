#include <gtest/gtest.h>
#include <malloc.h>
#include <tasuki/detail/coll/placement.hpp>

#include <vector>

namespace tasuki::coll {
namespace {

using Ranks = std::vector<int>;

Ranks on(const Placement& placement, int node) {
  const auto ranks = placement.ranks_on(node);
  return {ranks.begin(), ranks.end()};
}

TEST(PlacementTest, RanksInOrderFillOneNodeAfterTheOther) {
  const Placement placement = Placement::in_order(5, 2);
  EXPECT_EQ(placement.nodes_count(), 3);
  EXPECT_EQ(on(placement, 1), (Ranks{2, 3}));
  EXPECT_EQ(on(placement, 2), Ranks{4});
  EXPECT_EQ(placement.place_of(3), 1);
  EXPECT_EQ(placement.most_ranks_per_node(), 2);
  EXPECT_TRUE(placement.is_in_order());
  EXPECT_FALSE(placement.is_level());
  EXPECT_TRUE(Placement::in_order(4, 2).is_level());
}

TEST(PlacementTest, NodesAreNumberedInTheOrderOfTheirFirstRanks) {
  const Placement placement(Ranks{7, 3, 7, 3, 3});
  EXPECT_EQ(placement.nodes_count(), 2);
  EXPECT_EQ(placement.node_of(0), 0);
  EXPECT_EQ(placement.node_of(4), 1);
  EXPECT_EQ(on(placement, 0), (Ranks{0, 2}));
  EXPECT_EQ(on(placement, 1), (Ranks{1, 3, 4}));
  EXPECT_EQ(placement.place_of(4), 2);
  const auto by_node = placement.ranks_by_node();
  EXPECT_EQ(Ranks(by_node.begin(), by_node.end()), (Ranks{0, 2, 1, 3, 4}));
  EXPECT_FALSE(placement.is_in_order());
}

TEST(PlacementTest, NodesAreInTheGroupsOfTheirRanks) {
  // Nodes 7, 3 and 9 become 0, 1 and 2.
  const Placement placement(Ranks{7, 3, 7, 9}, Ranks{1, 5, 1, 5});
  const Placement* const of_nodes = placement.of_nodes();
  ASSERT_NE(of_nodes, nullptr);
  EXPECT_EQ(on(*of_nodes, 0), (Ranks{0}));
  EXPECT_EQ(on(*of_nodes, 1), (Ranks{1, 2}));
}

TEST(PlacementTest, WithoutGroupsOrInOneOfAllEachNodeIsAlone) {
  for (const Placement& placement : {Placement(Ranks{0, 0, 1, 1}), Placement::in_order(4, 2, 2)}) {
    ASSERT_NE(placement.of_nodes(), nullptr);
    EXPECT_EQ(placement.of_nodes()->nodes_count(), 2);
    EXPECT_EQ(placement.of_nodes()->of_nodes(), nullptr);
  }
  EXPECT_EQ(Placement::in_order(4, 1).of_nodes(), nullptr);
}

TEST(PlacementTest, WhereEachRankIsAloneGroupsAreNotUsed) {
  EXPECT_EQ(Placement::in_order(8, 1, 2), Placement::in_order(8, 1));
}

/// What the account of memory says of it (runtime/collectives/team_state.hpp).
TEST(PlacementTest, TakesAtMost32BytesForEachRankWithTwoOnEachNode) {
  const auto used_bytes = [] {
    const auto info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  constexpr std::size_t ranks_count = 5000;  // Between powers of two: room to grow would show.
  Ranks nodes;
  Ranks groups;
  for (int rank = 0; rank < static_cast<int>(ranks_count); ++rank) {
    nodes.push_back(rank / 2);
    groups.push_back(rank / 4);
  }
  const std::size_t before_bytes = used_bytes();
  const Placement placement(nodes, groups);
  EXPECT_EQ(placement.of_nodes()->of_nodes()->nodes_count(), static_cast<int>(ranks_count / 4));
  EXPECT_LE(used_bytes(), before_bytes + 32 * ranks_count);
}

TEST(PlacementTest, IsEqualIfNodesAndGroupsAre) {
  EXPECT_EQ(Placement::in_order(8, 2, 2), Placement::in_order(8, 2, 2));
  EXPECT_FALSE(Placement::in_order(8, 2, 2) == Placement::in_order(8, 2));
  EXPECT_FALSE(Placement::in_order(8, 2) == Placement::in_order(8, 4));
}

}  // namespace
}  // namespace tasuki::coll
