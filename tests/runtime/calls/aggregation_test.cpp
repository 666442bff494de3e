#include <algorithm>
#include <string>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using AggregationTest = RankTest;

/// Both ends of a flood: what arrived, counted by the receiver.
struct Count {
  std::uint64_t calls = 0;
  std::uint64_t sum = 0;
};

void add(Address<Count> to, std::uint64_t value) {
  ++to.pointer->calls;
  to.pointer->sum += value;
}

TEST_F(AggregationTest, small_calls_travel_together) {
  constexpr std::uint64_t calls_count = 10'000;
  Count count;
  const auto counts = allgather(as_address(&count));
  const auto& counters = runtime::Rank::current().transport.counters();
  const std::uint64_t sends_before = counters.sends;
  for (std::uint64_t i = 0; i < calls_count; ++i) {
    post(next_rank(), add, counts[static_cast<std::size_t>(next_rank())], i);
  }
  const std::uint64_t sends_count = counters.sends - sends_before;
  quiesce();
  EXPECT_EQ(count.calls, calls_count);
  EXPECT_EQ(count.sum, calls_count * (calls_count - 1) / 2);
  // 4 KiB hold some 100 of these; a full channel may cut a few batches short.
  EXPECT_LT(sends_count, calls_count / 10);
}

TEST_F(AggregationTest, everybody_floods_everybody) {
  constexpr std::uint64_t calls_count = 3'000;
  Count count;
  const auto counts = allgather(as_address(&count));
  for (std::uint64_t i = 0; i < calls_count; ++i) {
    for (int target = 0; target < size(); ++target) {
      post(target, add, counts[static_cast<std::size_t>(target)], i);
    }
  }
  quiesce();
  const auto ranks = static_cast<std::uint64_t>(size());
  EXPECT_EQ(count.calls, ranks * calls_count);
  EXPECT_EQ(count.sum, ranks * calls_count * (calls_count - 1) / 2);
}

TEST_F(AggregationTest, value_returning_calls_flood_both_ways) {
  constexpr int calls_count = 3'000;
  std::vector<Future<int>> all;
  for (int i = 0; i < calls_count; ++i) {
    all.push_back(ainvoke(
        next_rank(), [](int x) { return x + 1; }, i));
  }
  for (int i = 0; i < calls_count; ++i) {
    EXPECT_EQ(all[static_cast<std::size_t>(i)].get(), i + 1);
  }
}

TEST_F(AggregationTest, answers_without_room_need_no_fibers) {
  constexpr int calls_count = 20'000;
  std::size_t live_most = 0;
  const auto counts = allgather(as_address(&live_most));
  std::vector<Future<std::string>> all;
  for (int i = 0; i < calls_count; ++i) {
    all.push_back(ainvoke(
        next_rank(),
        [](Address<std::size_t> most) {
          const auto& scheduler = runtime::Rank::current().waits.scheduler();
          *most.pointer = std::max(*most.pointer, scheduler.live_count());
          return std::string(200, 'a');
        },
        counts[static_cast<std::size_t>(next_rank())]));
  }
  for (auto& answer : all) EXPECT_EQ(answer.get().size(), 200u);
  EXPECT_LT(live_most, 100u);
  barrier();
}

TEST_F(AggregationTest, waiting_sends_what_is_aggregated) {
  for (int i = 0; i < 50; ++i) {
    Sync<int> answer;
    const auto answers = allgather(GlobalPtr<Sync<int>>(rank(), &answer));
    post(
        next_rank(), [](GlobalPtr<Sync<int>> to) { to.write(rank()); },
        answers[static_cast<std::size_t>(rank())]);
    EXPECT_EQ(answer.read(), next_rank());
    barrier();
  }
}

TEST_F(AggregationTest, calls_of_mixed_sizes_keep_their_order) {
  std::vector<std::size_t> sizes;
  const auto lists = allgather(as_address(&sizes));
  const auto theirs = lists[static_cast<std::size_t>(next_rank())];
  std::vector<std::size_t> sent;
  for (std::size_t i = 0; i < 500; ++i) {
    const std::size_t bytes = i * 7919 % 3500;  // all fit into one message
    sent.push_back(bytes);
    post(
        next_rank(),
        [](Address<std::vector<std::size_t>> list, const std::vector<char>& data) {
          list.pointer->push_back(data.size());
        },
        theirs, std::vector<char>(bytes));
  }
  quiesce();
  EXPECT_EQ(sizes, sent);
}

}  // namespace
}  // namespace tasuki::test
