#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using QuiesceTest = RankTest;

/// A call that makes two more, until `depth` is used up; counts itself where it runs.
void spread(std::uint64_t counters, int depth) {
  auto* counter =
      static_cast<int*>(runtime::wait_for_dist_object(runtime::Rank::current(), counters));
  ++*counter;
  if (depth == 0) return;
  post(next_rank(), spread, counters, depth - 1);
  post((rank() + 3) % size(), spread, counters, depth - 1);
}

TEST_F(QuiesceTest, calls_made_by_calls_are_waited_for) {
  DistObject<int> counter(0);
  if (rank() == 0) post(next_rank(), spread, counter.id(), 9);
  quiesce();
  EXPECT_EQ(allreduce(*counter, Sum{}), 1023);
  barrier();
}

TEST_F(QuiesceTest, waiting_calls_are_waited_for) {
  DistObject<int> done(0);
  for (int i = 0; i < 30; ++i) {
    post(
        next_rank(),
        [](std::uint64_t id) {
          for (int turn = 0; turn < 10; ++turn) yield();
          invoke(previous_rank(), [] { yield(); });
          ++*static_cast<int*>(runtime::wait_for_dist_object(runtime::Rank::current(), id));
        },
        done.id());
  }
  quiesce();
  EXPECT_EQ(*done, 30);
  barrier();
}

TEST_F(QuiesceTest, writes_are_visible_afterwards) {
  std::vector<int> own(2000, -1);
  const auto all = allgather(global_ptr(own.data()));
  const std::vector<int> data(2000, rank());
  all[static_cast<std::size_t>(next_rank())].nwrite(data.data(), data.size());
  quiesce();
  EXPECT_EQ(own, std::vector<int>(2000, previous_rank()));
}

TEST_F(QuiesceTest, again_and_again) {
  DistObject<int> counter(0);
  for (int round = 1; round <= 20; ++round) {
    for (int target = 0; target < size(); ++target) post(target, spread, counter.id(), 1);
    quiesce();
    EXPECT_EQ(allreduce(*counter, Sum{}), round * 3 * size() * size());
  }
  barrier();
}

TEST_F(QuiesceTest, flush_sends_what_is_aggregated) {
  bool flag = false;
  const auto flags = allgather(as_address(&flag));
  post(
      next_rank(), [](Address<bool> set) { *set.pointer = true; },
      flags[static_cast<std::size_t>(next_rank())]);
  flush();
  while (!flag) yield();
  barrier();
}

}  // namespace
}  // namespace tasuki::test
