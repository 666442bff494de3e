// Collectives of two levels: which algorithms their parts use.
#include <gtest/gtest.h>
#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/detail/coll/registry.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace tasuki::coll {
namespace {

struct Traffic {
  std::size_t sends = 0, receives = 0;
};

/// What rank 0 exchanges with ranks of other nodes.
Traffic between_nodes(Collective collective, const char* name, std::size_t count, int nodes_count) {
  constexpr int ranks_per_node = 2;
  const Placement placement = Placement::in_order(nodes_count * ranks_per_node, ranks_per_node);
  Shape shape;
  shape.ranks = nodes_count * ranks_per_node;
  shape.element_bytes = sizeof(float);
  shape.count = count;
  shape.commutative = true;
  shape.placement = &placement;
  const Schedule schedule = make_schedule(algorithm_named(collective, name), shape);
  Traffic found;
  for (std::size_t index = 0; index < schedule.rounds.size(); ++index) {
    const RoundView round = schedule.round(index);
    const auto count_far = [&](std::span<const Transfer> transfers) {
      return static_cast<std::size_t>(std::ranges::count_if(
          transfers, [&](const Transfer& one) { return placement.node_of(one.peer) != 0; }));
    };
    found.sends += count_far(round.sends);
    found.receives += count_far(round.receives);
  }
  return found;
}

TEST(LevelsTest, BlocksOfOneSizeTravelBetweenNodesInALogarithmOfRounds) {
  EXPECT_EQ(between_nodes(Collective::allgather, "two_level", 1, 64).sends, 6U);
  // Trees whose nodes have three children for each round.
  EXPECT_EQ(between_nodes(Collective::gather, "two_level", 1, 64).receives, 9U);
  EXPECT_EQ(between_nodes(Collective::scatter, "two_level", 1, 64).sends, 9U);
}

/// How many messages of all ranks go from one group of nodes to another.
std::size_t between_groups(Collective collective, const Placement& placement, int ranks) {
  std::size_t found = 0;
  Shape shape;
  shape.ranks = ranks;
  shape.element_bytes = sizeof(float);
  shape.count = 1;
  shape.commutative = true;
  shape.placement = &placement;
  for (shape.rank = 0; shape.rank < ranks; ++shape.rank) {
    const Schedule schedule = make_schedule(algorithm_named(collective, "two_level"), shape);
    const auto group_of = [](int rank) { return rank / 16; };
    for (std::size_t index = 0; index < schedule.rounds.size(); ++index) {
      for (const Transfer& send : schedule.round(index).sends) {
        if (group_of(send.peer) != group_of(shape.rank)) ++found;
      }
    }
  }
  return found;
}

TEST(LevelsTest, WhereNodesAreInGroupsOneOfAGroupSpeaksForIt) {
  constexpr int ranks = 64, ranks_per_node = 4, nodes_per_group = 4;
  const auto groups = Placement::in_order(ranks, ranks_per_node, nodes_per_group);
  EXPECT_EQ(between_groups(Collective::broadcast, groups, ranks), 3U);
  const auto none = Placement::in_order(ranks, ranks_per_node);
  EXPECT_LE(2 * between_groups(Collective::allreduce, groups, ranks),
            between_groups(Collective::allreduce, none, ranks));
}

TEST(LevelsTest, NodesWithDifferentNumbersOfRanksTakeALogarithmOfRoundsToo) {
  const Placement placement = Placement::in_order(127, 2);
  Shape shape;
  shape.ranks = 127;
  shape.element_bytes = sizeof(float);
  shape.count = 1;
  shape.placement = &placement;
  const Schedule schedule =
      make_schedule(algorithm_named(Collective::allgather, "two_level"), shape);
  EXPECT_LT(schedule.rounds.size(), 12U);
}

}  // namespace
}  // namespace tasuki::coll
