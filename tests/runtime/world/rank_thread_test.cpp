#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <tasuki/rank_thread.hpp>
#include <thread>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using RankThreadTest = RankTest;

int twice(int x) { return 2 * x; }

TEST_F(RankThreadTest, a_thread_hands_work_to_its_rank) {
  const int me = rank();
  auto answer = spawn_thread([me] {
    const int its_rank = on_rank_thread([] { return rank(); }).get();
    EXPECT_EQ(its_rank, me);
    return on_rank_thread([] { return invoke(next_rank(), twice, 21); }).get();
  });
  EXPECT_EQ(answer.get(), 42);
}

TEST_F(RankThreadTest, the_rank_serves_calls_while_a_thread_runs) {
  std::atomic<int> calls_count = 0;
  const auto all = allgather(as_address(&calls_count));
  auto thread = spawn_thread([&] {
    // Ends only when the rank has been called meanwhile.
    while (calls_count.load() == 0) std::this_thread::yield();
  });
  post(
      next_rank(), [](Address<std::atomic<int>> count) { ++*count.pointer; },
      all[static_cast<std::size_t>(next_rank())]);
  thread.get();
  EXPECT_EQ(calls_count.load(), 1);
}

TEST_F(RankThreadTest, several_threads_at_once) {
  constexpr int threads_count = 4;
  constexpr int calls_count = 25;
  std::vector<Future<int>> sums;
  for (int i = 0; i < threads_count; ++i) {
    sums.push_back(spawn_thread([i] {
      int sum = 0;
      for (int k = 0; k < calls_count; ++k) {
        sum += on_rank_thread([i, k] { return invoke((i + k) % size(), twice, k); }).get();
      }
      return sum;
    }));
  }
  for (auto& sum : sums) EXPECT_EQ(sum.get(), calls_count * (calls_count - 1));
}

TEST_F(RankThreadTest, exceptions_come_back_both_ways) {
  auto failed = spawn_thread([]() -> int { throw std::out_of_range("too far"); });
  EXPECT_THROW(failed.get(), std::out_of_range);
  auto caught = spawn_thread([] {
    auto throwing = on_rank_thread([]() -> int { throw std::invalid_argument("no"); });
    try {
      throwing.get();
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  });
  EXPECT_EQ(caught.get(), "no");
}

TEST_F(RankThreadTest, a_coroutine_may_be_handed_over) {
  auto value = spawn_thread([] {
    const auto coroutine = []() -> Future<int> {
      co_return 1 + co_await ainvoke(next_rank(), twice, 4);
    };
    return on_rank_thread(coroutine).get();
  });
  EXPECT_EQ(value.get(), 9);
}

TEST_F(RankThreadTest, on_the_own_thread_it_runs_at_once) {
  bool has_run = false;
  auto value = on_rank_thread([&] {
    has_run = true;
    return invoke(next_rank(), twice, 2);
  });
  EXPECT_TRUE(has_run);
  EXPECT_EQ(value.get(), 4);
}

TEST_F(RankThreadTest, results_may_be_movable_only) {
  auto box = spawn_thread(
      [] { return on_rank_thread([] { return std::make_unique<int>(rank()); }).get(); });
  EXPECT_EQ(*box.get(), rank());
}

TEST_F(RankThreadTest, a_thread_of_the_program_finds_the_only_rank) {
  Promise<int> promise;
  auto result = promise.future();
  std::string text;
  std::thread own([&] {
    try {
      const int sum = on_rank_thread([] { return invoke(next_rank(), twice, 3); }).get();
      on_rank_thread([&promise, sum] { promise.set_value(sum); }).get();
    } catch (const error& e) {
      text = e.what();
    }
  });
  if (is_loopback() && size() > 1) {
    own.join();
    EXPECT_TRUE(contains(text, "several ranks run in this process")) << text;
  } else {
    EXPECT_EQ(result.get(), 6);
    own.join();
  }
}

TEST_F(RankThreadTest, quiesce_waits_for_threads) {
  std::atomic<bool> is_over = false;
  {
    auto dropped = spawn_thread([&] {
      on_rank_thread([] { invoke(next_rank(), [] {}); }).get();
      is_over = true;
    });
  }
  quiesce();
  EXPECT_TRUE(is_over);
}

}  // namespace
}  // namespace tasuki::test
