// What the table of node memory adds to the registry and to the built-in policy.
#include <gtest/gtest.h>
#include <tasuki/detail/node/algorithms.hpp>
#include <tasuki/error.hpp>

#include "node/policy_rows.hpp"
#include "node/segment/node_function.hpp"

namespace tasuki::node {
namespace {

using coll::Collective;
using coll::Medium;

class NodePolicyTest : public testing::Test {
 protected:
  NodePolicyTest() { register_algorithms(); }

  static coll::Choice choice(Collective collective, std::size_t count, coll::Media media) {
    coll::Shape shape;
    shape.ranks = 4;
    shape.count = count;
    shape.element_bytes = 8;
    shape.receive_counts.assign(coll::varies(collective) ? 4 : 0, count);
    return coll::default_policy().select(collective, shape, media);
  }
};

TEST_F(NodePolicyTest, EveryCollectiveHasAnAlgorithmInSharedOrPeerMemory) {
  const coll::Media media{.shared_memory = true, .peer_memory = true};
  for (const Collective collective : coll::all_collectives()) {
    for (const std::size_t count : {1U, 1000U, 1000000U}) {
      const coll::Choice chosen = choice(collective, count, media);
      EXPECT_TRUE(std::holds_alternative<coll::InNodeMemory>(chosen.algorithm->way))
          << coll::name_of(collective) << " of " << count;
    }
  }
}

TEST_F(NodePolicyTest, StagingIsForThoseWhoShareMemory) {
  for (const bool shared_memory : {false, true}) {
    const auto chosen = choice(Collective::allreduce, 1, {.shared_memory = shared_memory});
    EXPECT_EQ(chosen.algorithm->medium() == Medium::shared_memory, shared_memory);
  }
}

TEST_F(NodePolicyTest, DescriptorsNameTheFunctionThatTheirCollectiveNeeds) {
  const auto algorithms = coll::algorithms_on(Medium::shared_memory);
  EXPECT_FALSE(algorithms.empty());
  for (const auto* algorithm : algorithms) {
    const auto& function = *std::get<coll::InNodeMemory>(algorithm->way).function;
    EXPECT_EQ(std::holds_alternative<BarrierFunction>(function.call),
              algorithm->collective == Collective::barrier)
        << algorithm->name;
    EXPECT_THROW(make_schedule(*algorithm, coll::Shape{}), error) << algorithm->name;
  }
}

TEST_F(NodePolicyTest, TheRowsOfEachProcessorNameAlgorithmsWithParametersThatTheyHave) {
  for (const auto processor : {base::Processor::amd_family_26, base::Processor::other}) {
    EXPECT_NO_THROW(coll::before_default_policy(policy_rows(processor)));
  }
}

TEST_F(NodePolicyTest, OnAmdFamily26LongBlocksAreStagedWhereOthersCopyThemOnce) {
  const coll::Media media{.shared_memory = true, .peer_memory = true};
  coll::Shape shape;
  shape.ranks = 2;
  shape.count = 1 << 20;
  shape.element_bytes = 1;
  for (const auto& [processor, algorithm] : {std::pair(base::Processor::amd_family_26, "staged"),
                                             std::pair(base::Processor::other, "single_copy")}) {
    const coll::Policy policy = coll::before_default_policy(policy_rows(processor));
    EXPECT_STREQ(policy.select(Collective::gather, shape, media).algorithm->name, algorithm);
  }
}

TEST_F(NodePolicyTest, ATableIsAddedOnce) {
  const std::size_t count = coll::all_algorithms().size();
  register_algorithms();
  EXPECT_EQ(coll::all_algorithms().size(), count);
}

}  // namespace
}  // namespace tasuki::node
