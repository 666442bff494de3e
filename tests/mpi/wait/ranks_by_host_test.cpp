#include "mpi/wait/ranks_by_host.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tasuki::mpi::wait {
namespace {

/// Two neighbours are on a host.
std::string host_of_two(int rank) { return fmt::format("h{}", rank / 2); }

TEST(RanksByHost, EachHostIsNamedWithItsRanks) {
  EXPECT_EQ(describe_by_host({2}, host_of_two), "rank 2 (host h1)");
  EXPECT_EQ(describe_by_host({2, 3}, host_of_two), "ranks 2, 3 (host h1)");
  EXPECT_EQ(describe_by_host({2, 3, 5}, host_of_two), "ranks 2, 3 (host h1), rank 5 (host h2)");
}

TEST(RanksByHost, RanksInTurnAreOfTheirHosts) {
  const auto in_turn = [](int rank) { return fmt::format("h{}", rank % 2); };
  EXPECT_EQ(describe_by_host({1, 2, 3, 4}, in_turn), "ranks 1, 3 (host h1), ranks 2, 4 (host h0)");
}

TEST(RanksByHost, UnknownHostsAreLeftOut) {
  EXPECT_EQ(describe_by_host({1, 3}, [](int) { return std::string(); }), "ranks 1, 3");
}

TEST(RanksByHost, OfManyAPartIsNamed) {
  std::vector<int> ranks;
  for (int rank = 0; rank < 20; ++rank) ranks.push_back(rank);
  EXPECT_EQ(describe_by_host(ranks, [](int) { return "h"; }),
            "ranks 0, 1, 2, 3, 4, 5, 6, 7, ... (host h)");
  const std::string text = describe_by_host(ranks, host_of_two);
  EXPECT_TRUE(text.starts_with("ranks 0, 1 (host h0), ranks 2, 3 (host h1), ")) << text;
  EXPECT_TRUE(text.ends_with(", ranks 14, 15 (host h7) and those of 2 more hosts")) << text;
}

}  // namespace
}  // namespace tasuki::mpi::wait
