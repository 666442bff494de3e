#include <tasuki/detail/containers/exchange.hpp>

#include "support/rank_test.hpp"

namespace tasuki::containers {
namespace {

using test::contains;
using test::error_of;
using ExchangeTest = test::RankTest;

TEST_F(ExchangeTest, rows_of_different_lengths_are_gathered_in_the_order_of_ranks) {
  std::vector<std::string> mine;
  std::vector<std::string> expected;
  for (int r = 0; r < size(); ++r) {
    for (int i = 0; i < r; ++i) expected.push_back(std::to_string(r) + std::string(i, '.'));
  }
  for (int i = 0; i < rank(); ++i) mine.push_back(std::to_string(rank()) + std::string(i, '.'));
  EXPECT_EQ(allgather_values(mine, world_team()), expected);
}

TEST_F(ExchangeTest, values_come_back_from_bytes) {
  const std::vector<std::pair<std::string, std::vector<int>>> values{{"a", {1, 2}}, {"", {}}};
  EXPECT_EQ((from_bytes<std::pair<std::string, std::vector<int>>>(to_bytes(values))), values);
}

TEST_F(ExchangeTest, bytes_that_are_cut_off_are_an_error) {
  Bytes bytes = to_bytes(std::vector<std::string>{"sash"});
  bytes.pop_back();
  EXPECT_THROW(from_bytes<std::string>(bytes), error);
}

TEST_F(ExchangeTest, one_that_fails_fails_all_with_its_text) {
  throw_together("test", Failure{}, world_team());
  const bool fails = rank() == size() - 1;
  const Failure mine = fails ? Failure{"no oil", "buy some"} : Failure{};
  const std::string text = error_of([&] { throw_together("test", mine, world_team()); });
  EXPECT_TRUE(contains(text, "test: on rank " + std::to_string(size() - 1) +
                                 " of the team: no oil. Remedy: buy some"))
      << text;
}

TEST_F(ExchangeTest, what_one_throws_is_thrown_there_and_told_to_all) {
  EXPECT_EQ(do_on_all("test", world_team(), [] { return rank(); }), rank());
  const int last = size() - 1;
  const auto fail_on_last = [&] {
    do_on_all("test", world_team(), [&] {
      if (rank() == last) throw std::out_of_range("no oil");
      return 0;
    });
  };
  if (rank() == last) {
    EXPECT_THROW(fail_on_last(), std::out_of_range);
  } else {
    const std::string text = error_of(fail_on_last);
    EXPECT_TRUE(contains(
        text, "test: on rank " + std::to_string(last) + " of the team: an exception: no oil"))
        << text;
  }
}

}  // namespace
}  // namespace tasuki::containers
