#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using CollectivesOnRangesTest = RankTest;
using Integers = std::vector<int>;

int sum_of_ranks() { return size() * (size() - 1) / 2; }
std::size_t ranks_count() { return static_cast<std::size_t>(size()); }
Integers ranks_in_order() {
  Integers ranks(ranks_count());
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

TEST_F(CollectivesOnRangesTest, reductions_deduce_the_element_type) {
  const Integers mine{rank(), 1};
  Integers sums(2);
  allreduce(mine, sums, std::plus<>{});
  EXPECT_EQ(sums, (Integers{sum_of_ranks(), size()}));
  std::array<int, 2> at_root{};
  reduce(mine, at_root, Sum{}, size() - 1);
  if (rank() == size() - 1) {
    EXPECT_EQ(at_root, (std::array{sum_of_ranks(), size()}));
  }
  Integers in_place = mine;
  allreduce(in_place, in_place, std::plus<>{});
  EXPECT_EQ(in_place, sums);
}

TEST_F(CollectivesOnRangesTest, prefixes) {
  const std::array mine{1, rank()};
  std::array<int, 2> prefix{};
  scan(mine, prefix, Sum{});
  EXPECT_EQ(prefix, (std::array{rank() + 1, rank() * (rank() + 1) / 2}));
  std::array<int, 2> before{-1, -1};
  exscan(mine, before, Sum{});
  const std::array expected =
      rank() == 0 ? std::array{-1, -1} : std::array{rank(), rank() * (rank() - 1) / 2};
  EXPECT_EQ(before, expected);
}

TEST_F(CollectivesOnRangesTest, blocks_of_one_size) {
  const std::array mine{rank()};
  Integers all(ranks_count());
  allgather(mine, all);
  EXPECT_EQ(all, ranks_in_order());
  Integers at_root(rank() == 0 ? ranks_count() : 0);
  gather(mine, at_root, 0);
  EXPECT_EQ(at_root, rank() == 0 ? ranks_in_order() : Integers());
  std::array<int, 1> back{};
  scatter(at_root, back, 0);
  EXPECT_EQ(back[0], rank());
  Integers from_each(ranks_count());
  alltoall(Integers(ranks_count(), rank()), from_each);
  EXPECT_EQ(from_each, ranks_in_order());
  std::array<int, 1> sum{};
  reduce_scatter(Integers(ranks_count(), rank()), sum, Sum{});
  EXPECT_EQ(sum[0], sum_of_ranks());
}

TEST_F(CollectivesOnRangesTest, blocks_of_different_sizes) {
  const Integers mine(static_cast<std::size_t>(rank()) + 1, rank());
  Blocks blocks;
  Integers expected;
  for (int from = 0; from < size(); ++from) {
    blocks.counts.push_back(static_cast<std::size_t>(from) + 1);
    expected.insert(expected.end(), blocks.counts.back(), from);
  }
  Integers all(expected.size());
  allgatherv(mine, all, blocks);
  EXPECT_EQ(all, expected);
  Integers at_root(rank() == 0 ? expected.size() : 0);
  gatherv(mine, at_root, blocks, 0);
  Integers back(mine.size());
  scatterv(at_root, blocks, back, 0);
  EXPECT_EQ(back, mine);
  Integers sums(mine.size());
  reduce_scatter(Integers(expected.size(), 1), sums, blocks.counts, std::plus<>{});
  EXPECT_EQ(sums, Integers(mine.size(), size()));
  const Blocks sent{std::vector<std::size_t>(ranks_count(), mine.size())};
  Integers from_all(expected.size());
  alltoallv(Integers(ranks_count() * mine.size(), rank()), sent, from_all, blocks);
  EXPECT_EQ(from_all, expected);
}

TEST_F(CollectivesOnRangesTest, futures) {
  const std::array mine{rank()};
  std::array<int, 1> sum{};
  Integers all(ranks_count());
  std::vector<Future<void>> futures;
  futures.push_back(allreduce_async(mine, sum, std::plus<>{}));
  futures.push_back(allgather_async(mine, all));
  for (Future<void>& future : futures) future.get();
  EXPECT_EQ(sum[0], sum_of_ranks());
  EXPECT_EQ(all, ranks_in_order());
}

TEST_F(CollectivesOnRangesTest, spans_and_ranges_mix) {
  Integers memory(4, rank());
  std::array<int, 2> sums{};
  allreduce(std::span(memory).first(2), sums, Sum{});
  EXPECT_EQ(sums, (std::array{sum_of_ranks(), sum_of_ranks()}));
}

}  // namespace
}  // namespace tasuki::test
