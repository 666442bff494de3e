#include <gtest/gtest.h>
#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/detail/coll/policy.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <iterator>
#include <string>

namespace tasuki::coll {
namespace {

std::string refusal(const std::vector<PolicyRow>& rows) {
  try {
    const Policy policy(rows);
  } catch (const error& e) {
    return e.what();
  }
  return "accepted";
}

Shape shape_of(int ranks, std::size_t count) {
  Shape shape;
  shape.ranks = ranks;
  shape.count = count;
  shape.element_bytes = 8;
  shape.commutative = true;
  return shape;
}

std::vector<PolicyRow> default_rows() {
  return {default_policy().rows().begin(), default_policy().rows().end()};
}

TEST(PolicyTest, DefaultCoversEveryCollectiveAndSaysWhy) {
  for (const Collective collective : all_collectives()) {
    for (const int ranks : {1, 2, 7, 8, 1000}) {
      for (const std::size_t count : {0U, 1U, 100000U}) {
        const Choice choice = default_policy().select(collective, shape_of(ranks, count));
        ASSERT_NE(choice.algorithm, nullptr);
        EXPECT_EQ(choice.algorithm->collective, collective);
        EXPECT_FALSE(choice.reason.empty());
      }
    }
  }
}

TEST(PolicyTest, SizeDecides) {
  const auto name = [](std::size_t count) {
    return std::string(
        default_policy().select(Collective::allreduce, shape_of(4, count)).algorithm->name);
  };
  EXPECT_EQ(name(1), "recursive_doubling");
  EXPECT_EQ(name(1000000), "rabenseifner");
}

TEST(PolicyTest, OnSeveralNodesFewMessagesTravelBetweenThem) {
  const auto name = [](Collective collective, int ranks_per_node, std::size_t count) {
    const Placement placement = Placement::in_order(64, ranks_per_node);
    Shape shape = shape_of(64, count);
    shape.placement = &placement;
    return std::string(default_policy().select(collective, shape).algorithm->name);
  };
  for (const Collective collective :
       {Collective::allreduce, Collective::broadcast, Collective::allgather}) {
    EXPECT_TRUE(name(collective, 16, 128).starts_with("two_level")) << name_of(collective);
    EXPECT_FALSE(name(collective, 1, 128).starts_with("two_level")) << name_of(collective);
  }
}

TEST(PolicyTest, WhereTheRanksAreDecides) {
  std::vector<PolicyRow> rows = {
      {Collective::barrier, any_ranks, any_bytes, "two_level", "", "nodes", {2, 4, 2}},
      {Collective::barrier, any_ranks, any_bytes, "tree", "", "one node", {1, 1, any_ranks}}};
  std::ranges::copy(default_rows(), std::back_inserter(rows));
  const Policy policy(rows);
  const auto reason = [&](int ranks, int ranks_per_node) {
    const Placement placement = Placement::in_order(ranks, ranks_per_node);
    Shape shape = shape_of(ranks, 0);
    shape.placement = &placement;
    return policy.select(Collective::barrier, shape).reason;
  };
  EXPECT_EQ(policy.select(Collective::barrier, shape_of(4, 0)).reason, "one node");
  EXPECT_EQ(reason(4, 4), "one node");
  EXPECT_EQ(reason(4, 2), "nodes");
  EXPECT_EQ(reason(8, 2), "nodes");
  const std::string general = default_policy().select(Collective::barrier, shape_of(9, 0)).reason;
  EXPECT_EQ(reason(10, 2), general);
  EXPECT_EQ(reason(6, 3), general);
}

/// What is chosen where the last node lacks ranks.
std::string on_unequal_nodes(Collective collective, int ranks, int ranks_per_node,
                             std::size_t count) {
  const Placement placement = Placement::in_order(ranks, ranks_per_node);
  Shape shape = shape_of(ranks, count);
  shape.placement = &placement;
  return default_policy().select(collective, shape).algorithm->name;
}

TEST(PolicyTest, WhereLanesCannotBeUsedNothingForLongerMessagesIs) {
  EXPECT_EQ(on_unequal_nodes(Collective::broadcast, 30, 8, 1), "two_level");
  EXPECT_EQ(on_unequal_nodes(Collective::broadcast, 30, 8, 8192), "two_level");
  EXPECT_EQ(on_unequal_nodes(Collective::allgather, 100, 16, 1), "two_level");
  EXPECT_EQ(on_unequal_nodes(Collective::alltoall, 100, 16, 1), "modified_bruck");
  EXPECT_EQ(on_unequal_nodes(Collective::reduce_scatter_block, 120, 64, 1), "recursive_halving");
}

TEST(PolicyTest, ARowMayLeaveToGeneralOnesWhatItCannotDo) {
  const NodeRange nodes{2, any_ranks, any_ranks};
  std::vector<PolicyRow> rows = {
      {Collective::broadcast, 32, 64, "two_level_lanes", "", "short", nodes, true},
      {Collective::broadcast, any_ranks, any_bytes, "two_level", "", "long", nodes}};
  std::ranges::copy(default_rows(), std::back_inserter(rows));
  const Policy policy(rows);
  const auto choice = [&](int ranks, std::size_t count) {
    const Placement placement = Placement::in_order(ranks, 8);
    Shape shape = shape_of(ranks, count);
    shape.placement = &placement;
    return policy.select(Collective::broadcast, shape);
  };
  EXPECT_EQ(choice(32, 8).reason, "short");
  EXPECT_EQ(choice(32, 9).reason, "long");
  EXPECT_EQ(choice(30, 9).reason, "long");
  EXPECT_STREQ(choice(30, 8).algorithm->name, "binomial");  // The nodes are unequal.
  EXPECT_STREQ(choice(40, 8).algorithm->name, "binomial");
}

TEST(PolicyTest, ReproducibleReductionsOfFewBytesTakeFewRounds) {
  Shape shape = shape_of(24, 8);
  const Placement placement = Placement::in_order(24, 1);
  shape.placement = &placement;
  shape.reproducible = true;
  EXPECT_STREQ(default_policy().select(Collective::allreduce, shape).algorithm->name,
               "allgather_reduce");
}

TEST(PolicyTest, NoRankSendsToThousandsAtOnce) {
  Shape shape = shape_of(4096, 100);
  EXPECT_STREQ(default_policy().select(Collective::alltoall, shape).algorithm->name, "pairwise");
  shape.ranks = 512;
  EXPECT_STREQ(default_policy().select(Collective::alltoall, shape).algorithm->name, "linear");
}

TEST(PolicyTest, SizesThatNotAllKnowDoNotDecide) {
  std::vector<PolicyRow> rows = {
      {Collective::allgatherv, any_ranks, 800, "linear", "", "for short ones"},
      {Collective::gatherv, any_ranks, 800, "linear", "", "for short ones"}};
  std::ranges::copy(default_rows(), std::back_inserter(rows));
  const Policy policy(rows);
  Shape shape = shape_of(2, 1);
  shape.receive_counts = {1, 100};
  EXPECT_STREQ(policy.select(Collective::allgatherv, shape).algorithm->name, "linear");
  shape.receive_counts = {1, 101};
  EXPECT_STREQ(policy.select(Collective::allgatherv, shape).algorithm->name, "bruck");
  EXPECT_EQ(policy.select(Collective::gatherv, shape).reason, "the one general algorithm");
}

TEST(PolicyTest, FewRanksWaitSeldom) {
  const auto name = [](Collective collective, int ranks, std::size_t count) {
    return std::string(default_policy().select(collective, shape_of(ranks, count)).algorithm->name);
  };
  EXPECT_EQ(name(Collective::alltoall, 4, 1000), "linear");
  EXPECT_EQ(name(Collective::alltoall, 64, 0), "modified_bruck");
  EXPECT_EQ(name(Collective::allgather, 4, 1000), "recursive_doubling");
  EXPECT_EQ(name(Collective::allgather, 3, 1000), "linear");
  EXPECT_EQ(name(Collective::allgather, 64, 1), "recursive_doubling");
}

TEST(PolicyTest, ReproducibleReductionsCombineInRankOrder) {
  auto rows = default_rows();
  rows.insert(rows.begin(), {Collective::allreduce, any_ranks, any_bytes, "ring", "", "test"});
  const Policy policy(rows);
  for (const Collective collective : all_collectives()) {
    for (const int ranks : {1, 2, 7, 8, 1000}) {
      for (const std::size_t count : {0U, 1U, 100000U}) {
        for (const bool in_memory : {false, true}) {
          Shape shape = shape_of(ranks, count);
          shape.reproducible = true;
          const Media media{.shared_memory = in_memory, .peer_memory = in_memory};
          const Choice choice = policy.select(collective, shape, media);
          if (!reduces(collective)) {
            EXPECT_EQ(choice.algorithm,
                      default_policy().select(collective, shape, media).algorithm);
            continue;
          }
          EXPECT_EQ(choice.algorithm->order, Order::ranks) << name_of(collective);
          EXPECT_EQ(not_usable_because(*choice.algorithm, shape, choice.parameters), "");
          EXPECT_FALSE(choice.reason.empty());
        }
      }
    }
  }
}

TEST(PolicyTest, ReproducibleReductionsTakeTheFirstRowInRankOrder) {
  auto rows = default_rows();
  rows.insert(rows.begin(), {Collective::allreduce, any_ranks, any_bytes, "linear", "", "test"});
  Shape shape = shape_of(4, 100000);
  shape.reproducible = true;
  EXPECT_EQ(Policy(rows).select(Collective::allreduce, shape).reason, "test");
}

TEST(PolicyTest, SizesOfVariableFormsDoNotDecide) {
  auto rows = default_rows();
  rows.insert(rows.begin(),
              {Collective::alltoallv, any_ranks, 8, "pairwise", "", "must not be read"});
  const Choice choice = Policy(rows).select(Collective::alltoallv, shape_of(4, 0));
  EXPECT_NE(choice.reason, "must not be read");
}

TEST(PolicyTest, FirstRowThatFitsWinsWithItsParameters) {
  auto rows = default_rows();
  rows.insert(rows.begin(), {Collective::allgather, 8, 64, "bruck", "radix=4", "test"});
  const Choice choice = Policy(rows).select(Collective::allgather, shape_of(8, 8));
  EXPECT_STREQ(choice.algorithm->name, "bruck");
  EXPECT_EQ(choice.parameters.get("radix"), 4);
  EXPECT_EQ(choice.reason, "test");
  EXPECT_NE(Policy(rows).select(Collective::allgather, shape_of(9, 8)).reason, "test");
  EXPECT_NE(Policy(rows).select(Collective::allgather, shape_of(8, 9)).reason, "test");
}

TEST(PolicyTest, GapsAreRefused) {
  auto rows = default_rows();
  rows.erase(
      std::remove_if(rows.begin(), rows.end(),
                     [](const PolicyRow& row) { return row.collective == Collective::scan; }),
      rows.end());
  EXPECT_NE(refusal(rows).find("leaves cases of scan"), std::string::npos) << refusal(rows);
}

TEST(PolicyTest, UnknownNamesAreRefused) {
  auto rows = default_rows();
  rows.insert(rows.begin(), {Collective::barrier, any_ranks, any_bytes, "dissemnation", "", ""});
  EXPECT_NE(refusal(rows).find("dissemination"), std::string::npos) << refusal(rows);
  rows.front().algorithm = "dissemination";
  rows.front().parameters = "radius=4";
  EXPECT_NE(refusal(rows).find("no parameter 'radius'"), std::string::npos) << refusal(rows);
  rows.front().parameters = "radix=1";
  EXPECT_NE(refusal(rows).find("from 2 to 64"), std::string::npos) << refusal(rows);
  rows.front().parameters = "radix=x";
  EXPECT_NE(refusal(rows).find("'radix=x' is not name=number"), std::string::npos);
}

}  // namespace
}  // namespace tasuki::coll
