#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using SyncTest = RankTest;

int read_one(Address<Sync<int>> sync) { return sync.pointer->read(); }
int peek_one(Address<Sync<int>> sync) { return sync.pointer->peek(); }

TEST_F(SyncTest, values_come_out_in_the_order_they_went_in) {
  Sync<int> sync;
  EXPECT_TRUE(sync.empty());
  for (int i = 0; i < 10; ++i) sync.write(i);
  EXPECT_EQ(sync.size(), 10U);
  EXPECT_EQ(sync.peek(), 0);
  EXPECT_EQ(sync.size(), 10U);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(sync.read(), i);
  EXPECT_TRUE(sync.empty());
}

TEST_F(SyncTest, a_reader_waits_for_the_writer) {
  Sync<int> sync;
  auto reader = ainvoke(rank(), read_one, as_address(&sync));
  while (!sync.empty()) yield();
  for (int i = 0; i < 5; ++i) yield();
  EXPECT_FALSE(reader.ready());
  sync.write(4);
  EXPECT_EQ(reader.get(), 4);
}

TEST_F(SyncTest, readers_are_served_in_the_order_they_came) {
  Sync<int> sync;
  std::vector<Future<int>> readers;
  for (int i = 0; i < 20; ++i) readers.push_back(ainvoke(rank(), read_one, as_address(&sync)));
  // Let all of them begin to wait: calls to oneself have all started when a later one is done.
  invoke(rank(), [] {});
  for (int i = 0; i < 20; ++i) sync.write(i);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(readers[static_cast<std::size_t>(i)].get(), i);
  EXPECT_TRUE(sync.empty());
}

TEST_F(SyncTest, nobody_overtakes_a_reader_who_has_been_promised_a_value) {
  Sync<int> sync;
  auto first = ainvoke(rank(), read_one, as_address(&sync));
  invoke(rank(), [] {});
  sync.write(1);
  sync.write(2);
  EXPECT_EQ(sync.read(), 2);
  EXPECT_EQ(first.get(), 1);
  EXPECT_TRUE(sync.empty());
}

TEST_F(SyncTest, peek_waits_and_takes_nothing) {
  Sync<int> sync;
  std::vector<Future<int>> peekers;
  for (int i = 0; i < 4; ++i) peekers.push_back(ainvoke(rank(), peek_one, as_address(&sync)));
  auto reader = ainvoke(rank(), read_one, as_address(&sync));
  invoke(rank(), [] {});
  sync.write(6);
  for (auto& peeker : peekers) EXPECT_EQ(peeker.get(), 6);
  EXPECT_EQ(reader.get(), 6);
  EXPECT_TRUE(sync.empty());
}

TEST_F(SyncTest, a_promised_value_is_not_counted_twice) {
  Sync<int> sync;
  auto reader = ainvoke(rank(), read_one, as_address(&sync));
  invoke(rank(), [] {});
  sync.write(1);
  EXPECT_EQ(sync.size(), 0U);  // the reader has it, though it has not run
  sync.write(2);
  EXPECT_EQ(sync.size(), 1U);
  EXPECT_EQ(sync.read() + reader.get(), 3);
}

TEST_F(SyncTest, other_ranks_write_and_read_through_a_global_pointer) {
  Sync<int> sync;
  const auto syncs = allgather(GlobalPtr<Sync<int>>(rank(), &sync));
  const auto theirs = syncs[static_cast<std::size_t>(next_rank())];
  for (int i = 0; i < 100; ++i) theirs.write(rank() * 1000 + i);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(sync.read(), previous_rank() * 1000 + i);
  barrier();
  EXPECT_EQ(theirs.read(), rank() * 1000 + 50);
  barrier();
  quiesce();
  EXPECT_EQ(sync.size(), 49U);
}

TEST_F(SyncTest, everybody_writes_to_everybody) {
  constexpr int values_count = 200;
  Sync<int> sync;
  const auto syncs = allgather(GlobalPtr<Sync<int>>(rank(), &sync));
  for (int i = 0; i < values_count; ++i) {
    for (const auto& each : syncs) write(each, i);
  }
  long long sum = 0;
  for (int i = 0; i < values_count * size(); ++i) sum += sync.read();
  EXPECT_EQ(sum, static_cast<long long>(size()) * values_count * (values_count - 1) / 2);
  EXPECT_TRUE(sync.empty());
  barrier();
}

TEST_F(SyncTest, values_of_any_kind) {
  Sync<std::vector<std::string>> lists;
  Sync<std::unique_ptr<int>> boxes;
  const auto all = allgather(GlobalPtr<Sync<std::vector<std::string>>>(rank(), &lists));
  all[static_cast<std::size_t>(next_rank())].write(std::vector<std::string>{"a", "b"});
  EXPECT_EQ(lists.read(), (std::vector<std::string>{"a", "b"}));
  boxes.write(std::make_unique<int>(3));
  EXPECT_EQ(*boxes.read(), 3);
  barrier();
}

TEST_F(SyncTest, ranks_hand_a_token_round) {
  constexpr int rounds_count = 20;
  Sync<int> token;
  const auto tokens = allgather(GlobalPtr<Sync<int>>(rank(), &token));
  const auto theirs = tokens[static_cast<std::size_t>(next_rank())];
  if (rank() == 0) theirs.write(0);
  for (int round = 0; round < rounds_count; ++round) {
    const int value = token.read();
    EXPECT_EQ(value, round * size() + previous_rank());
    if (rank() != 0 || round + 1 < rounds_count) theirs.write(value + 1);
  }
  barrier();
}

TEST_F(SyncTest, a_sync_in_the_shared_heap) {
  const auto sync = new_<Sync<int>>();
  const auto all = allgather(sync);
  all[static_cast<std::size_t>(next_rank())].write(8);
  EXPECT_EQ(sync.raw()->read(), 8);
  barrier();
  delete_(sync);
}

TEST_F(SyncTest, a_null_sync_is_an_error) {
  const GlobalPtr<Sync<int>> null;
  const GlobalPtr<Sync<int>> null_there(next_rank(), nullptr);
  EXPECT_TRUE(contains(error_of([&] { null.write(1); }), "is null"));
  EXPECT_TRUE(contains(error_of([&] { null_there.write(1); }), "is null"));
  EXPECT_TRUE(contains(error_of([&] { null_there.read(); }), "is null"));
}

}  // namespace
}  // namespace tasuki::test
