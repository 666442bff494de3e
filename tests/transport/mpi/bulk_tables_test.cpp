#include "transport/mpi/bulk_tables.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tasuki::transport::mpi {
namespace {

Outgoing outgoing_to(int rank) {
  Outgoing outgoing;
  outgoing.rank = rank;
  return outgoing;
}

TEST(TransferTable, GrowsWithWhatIsUnderWayAtOnce) {
  TransferTable<Outgoing> table(64 * 100'000);
  EXPECT_EQ(table.made_count(), 0U);
  for (int i = 0; i < 1000; ++i) table.give_back(table.take(outgoing_to(i)));
  EXPECT_EQ(table.made_count(), 1U);
}

TEST(TransferTable, IsFullAtItsBound) {
  TransferTable<Outgoing> table(3);
  std::vector<std::uint32_t> taken;
  while (!table.is_full()) taken.push_back(table.take(outgoing_to(static_cast<int>(taken.size()))));
  ASSERT_EQ(taken.size(), 3U);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(table.at(taken[static_cast<std::size_t>(i)]).rank, i);
  table.give_back(taken[1]);
  EXPECT_FALSE(table.is_full());
  EXPECT_EQ(table.take(outgoing_to(9)), taken[1]);
}

TEST(TransferTable, KeepsEntriesWhereTheyAreWhenOthersAreAdded) {
  TransferTable<Outgoing> table(1000);
  const Outgoing* const first = &table.at(table.take(outgoing_to(5)));
  for (int i = 1; i < 1000; ++i) table.activate(table.take(outgoing_to(i)));
  EXPECT_EQ(first->rank, 5);
  EXPECT_EQ(table.active_count(), 999U);
}

}  // namespace
}  // namespace tasuki::transport::mpi
