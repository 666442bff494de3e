#include "measure/expected_output.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tasuki::measure {
namespace {

using coll::Collective;

constexpr std::uint32_t seed = 3;

/// Two elements for each block, 3 ranks, root 2.
std::vector<float> expected(Collective collective, int rank) {
  return expected_output({collective, rank, 3, 2, 2, seed});
}

float sum(int ranks, std::size_t index) {
  float total = 0;
  for (int rank = 0; rank < ranks; ++rank) total += input_value(rank, index, seed);
  return total;
}

std::vector<float> from(int rank, std::size_t index) {
  return {input_value(rank, index, seed), input_value(rank, index + 1, seed)};
}

TEST(ExpectedOutput, OfReductionsIsTheSum) {
  EXPECT_TRUE(agrees(expected(Collective::allreduce, 1), {sum(3, 0), sum(3, 1)}));
  EXPECT_TRUE(agrees(expected(Collective::reduce, 2), {sum(3, 0), sum(3, 1)}));
  EXPECT_TRUE(agrees(expected(Collective::reduce_scatter_block, 1), {sum(3, 2), sum(3, 3)}));
  EXPECT_TRUE(agrees(expected(Collective::scan, 1), {sum(2, 0), sum(2, 1)}));
  EXPECT_TRUE(agrees(expected(Collective::exscan, 1), {sum(1, 0), sum(1, 1)}));
}

TEST(ExpectedOutput, OfRootsHasTheirBlocks) {
  EXPECT_EQ(expected(Collective::broadcast, 0), from(2, 0));
  EXPECT_EQ(expected(Collective::scatter, 1), from(2, 2));
  EXPECT_EQ(expected(Collective::gather, 2).size(), 6U);
}

TEST(ExpectedOutput, OfExchangesHasBlocksInRankOrder) {
  const std::vector<float> all = expected(Collective::alltoall, 1);
  ASSERT_EQ(all.size(), 6U);
  for (int rank = 0; rank < 3; ++rank) {
    const auto at = static_cast<std::size_t>(rank) * 2;
    EXPECT_EQ((std::vector<float>{all[at], all[at + 1]}), from(rank, 2)) << rank;
    EXPECT_EQ(expected(Collective::allgather, 1)[at], input_value(rank, 0, seed)) << rank;
  }
}

TEST(ExpectedOutput, OfBlocksThatVaryHasThemInRankOrder) {
  // From rank 0 the blocks have 6, none and 4 elements; those for rank 2 have 4, none and 6.
  const auto blocks = [](Collective collective, int rank) {
    return expected_output({collective, rank, 3, 2, 6, seed});
  };
  EXPECT_EQ(blocks(Collective::scatterv, 2)[3], input_value(2, 9, seed));
  EXPECT_TRUE(blocks(Collective::scatterv, 1).empty());
  EXPECT_TRUE(blocks(Collective::gatherv, 1).empty());
  const std::vector<float> all = blocks(Collective::allgatherv, 1);
  ASSERT_EQ(all.size(), 10U);
  EXPECT_EQ(all[5], input_value(0, 5, seed));
  EXPECT_EQ(all[6], input_value(2, 0, seed));
  EXPECT_EQ(blocks(Collective::gatherv, 2), all);
  const std::vector<float> exchanged = blocks(Collective::alltoallv, 2);
  ASSERT_EQ(exchanged.size(), 10U);
  EXPECT_EQ(exchanged[3], input_value(0, 9, seed));
  EXPECT_EQ(exchanged[4], input_value(2, 4, seed));
  EXPECT_NEAR(blocks(Collective::reduce_scatter, 2)[3], sum(3, 9), 1e-6);
}

TEST(ExpectedOutput, IsOpenWhereTheDefinitionSaysNothing) {
  EXPECT_TRUE(expected(Collective::reduce, 0).empty());
  EXPECT_TRUE(expected(Collective::gather, 1).empty());
  EXPECT_TRUE(expected(Collective::exscan, 0).empty());
  EXPECT_TRUE(expected(Collective::barrier, 0).empty());
}

TEST(ExpectedOutput, AgreesWithNothingElse) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(agrees({1, 2, 9}, {1, 2}));
  EXPECT_FALSE(agrees({1, 2.1F}, {1, 2}));
  EXPECT_FALSE(agrees({1, nan}, {1, 2}));
  EXPECT_FALSE(agrees({1}, {1, 2}));
}

}  // namespace
}  // namespace tasuki::measure
