#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using CollectivesOfValuesTest = RankTest;

/// Of another length on each rank, up to what travels as bulk data.
std::string text_of(int rank) {
  constexpr std::size_t step_bytes = 30'000;
  return std::string(static_cast<std::size_t>(rank) * step_bytes, static_cast<char>('a' + rank));
}
std::vector<std::string> all_texts() {
  std::vector<std::string> all;
  for (int rank = 0; rank < size(); ++rank) all.push_back(text_of(rank));
  return all;
}
std::string joined_texts() {
  std::string joined;
  for (const std::string& text : all_texts()) joined += text;
  return joined;
}

TEST_F(CollectivesOfValuesTest, broadcast_from_each_rank) {
  for (int root = 0; root < size(); ++root) {
    EXPECT_EQ(broadcast(text_of(rank()), root), text_of(root));
  }
  const std::map<std::string, std::vector<int>> mine{{"rank", {rank()}}};
  EXPECT_EQ(broadcast(mine, 0).at("rank"), std::vector<int>{0});
}

TEST_F(CollectivesOfValuesTest, gather_and_allgather_keep_the_order_of_ranks) {
  EXPECT_EQ(allgather(text_of(rank())), all_texts());
  const int root = size() - 1;
  const std::vector<std::string> gathered = gather(text_of(rank()), root);
  EXPECT_EQ(gathered, rank() == root ? all_texts() : std::vector<std::string>());
  const std::vector<int> numbers = gather(rank(), root);
  EXPECT_EQ(numbers.size(), rank() == root ? static_cast<std::size_t>(size()) : 0u);
}

TEST_F(CollectivesOfValuesTest, reductions_are_in_the_order_of_ranks) {
  EXPECT_EQ(allreduce(text_of(rank()), std::plus<>{}), joined_texts());
  const std::string reduced = reduce(text_of(rank()), std::plus<>{}, 0);
  EXPECT_EQ(reduced, rank() == 0 ? joined_texts() : text_of(rank()));
}

TEST_F(CollectivesOfValuesTest, views_begin_at_any_byte) {
  const std::string mine(static_cast<std::size_t>(rank()) + 3, static_cast<char>('a' + rank()));
  const std::vector<View<char>> all = allgather(view(mine));
  for (int from = 0; from < size(); ++from) {
    const View<char>& one = all[static_cast<std::size_t>(from)];
    EXPECT_EQ(std::string(one.begin(), one.end()),
              std::string(static_cast<std::size_t>(from) + 3, static_cast<char>('a' + from)));
  }
}

TEST_F(CollectivesOfValuesTest, exscan_of_a_value) {
  EXPECT_EQ(exscan(1, Sum{}, 0), rank());
  EXPECT_EQ(exscan(2.0, Product{}, 1.0), static_cast<double>(1 << rank()));
}

TEST_F(CollectivesOfValuesTest, teams_have_values_of_their_own) {
  const Team team = world_team().split(rank() % 2);
  EXPECT_EQ(allgather(text_of(rank()), team).size(), static_cast<std::size_t>(team.size()));
  EXPECT_EQ(broadcast(text_of(rank()), 0, team), text_of(rank() % 2));
}

}  // namespace
}  // namespace tasuki::test
