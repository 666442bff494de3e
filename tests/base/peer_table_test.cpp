#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/peer_table.hpp"

namespace tasuki::base {
namespace {

struct Entry {
  int number = 7;
};
using Table = PeerTable<Entry>;

constexpr MemoryAccount account = Table::account("a table");

TEST(PeerTable, MakesEntriesWhenTheyAreAskedFor) {
  Table table(1000);
  EXPECT_EQ(table.find(999), nullptr);
  table[999].number = 1;
  ASSERT_NE(table.find(999), nullptr);
  EXPECT_EQ(table.find(999)->number, 1);
  EXPECT_EQ(table.find(0), nullptr);
  EXPECT_EQ(table[0].number, 7);
}

TEST(PeerTable, KeepsAddressesOfEntries) {
  Table table(10'000);
  Entry* const first = &table[3];
  for (int rank = 0; rank < 10'000; ++rank) table[rank].number = rank;
  EXPECT_EQ(first, &table[3]);
  EXPECT_EQ(first->number, 3);
}

TEST(PeerTable, VisitsAllThatWereMade) {
  Table table(101);
  table[100].number = 1;
  table[5].number = 2;
  std::vector<std::pair<int, int>> seen;
  table.for_each([&](int rank, const Entry& entry) {
    if (entry.number != Entry().number) seen.emplace_back(rank, entry.number);
  });
  const std::vector<std::pair<int, int>> expected{{5, 2}, {100, 1}};
  EXPECT_EQ(seen, expected);
}

TEST(PeerTable, GrowsWithTheRanksThatAreUsed) {
  Table table(8000);
  EXPECT_EQ(table.use(account).bytes(), 8000 * account.bytes_per_rank);
  EXPECT_EQ(account.bytes_per_rank, 1U);
  table[17].number = 0;
  table[18].number = 0;  // A neighbour.
  EXPECT_EQ(table.use(account).bytes(), account.bytes(8000, 1));
  table[7999].number = 0;
  EXPECT_EQ(table.use(account).bytes(), account.bytes(8000, 2));
}

}  // namespace
}  // namespace tasuki::base
