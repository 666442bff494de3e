#include "npb/is/rank_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace tasuki::npb::is {
namespace {

TEST(RankTable, RanksAreTheNumbersOfSmallerKeys) {
  RankTable table;
  table.restart(100, 110);
  table.count(std::array<Key, 3>{105, 102, 105});
  table.count(std::array<Key, 1>{109});
  table.finish();
  EXPECT_EQ(table.rank_of(100), 0);
  EXPECT_EQ(table.rank_of(102), 0);
  EXPECT_EQ(table.rank_of(105), 1);
  EXPECT_EQ(table.rank_of(106), 3);
  EXPECT_EQ(table.rank_of(109), 3);
  EXPECT_TRUE(table.contains(100));
  EXPECT_FALSE(table.contains(99));
  EXPECT_FALSE(table.contains(110));
}

TEST(RankTable, EqualKeysTakeConsecutiveRanks) {
  RankTable table;
  table.restart(0, 4);
  table.count(std::array<Key, 4>{1, 3, 1, 0});
  table.finish();
  EXPECT_EQ(table.take(1), 1);
  EXPECT_EQ(table.take(1), 2);
  EXPECT_EQ(table.take(3), 3);
}

TEST(RankTable, RestartForgets) {
  RankTable table;
  table.restart(0, 4);
  table.count(std::array<Key, 2>{0, 1});
  table.restart(0, 8);
  table.count(std::vector<Key>(1000, 5));
  table.finish();
  EXPECT_EQ(table.rank_of(5), 0);
  EXPECT_EQ(table.rank_of(6), 1000);
}

}  // namespace
}  // namespace tasuki::npb::is
