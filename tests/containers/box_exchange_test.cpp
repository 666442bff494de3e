#include <tasuki/detail/containers/box_exchange.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "containers/shared_path.hpp"
#include "support/rank_test.hpp"

namespace tasuki::containers {
namespace {

using BoxExchangeTest = test::RankTest;

MemoryBox elements_box(std::int64_t first, std::int64_t count) {
  return {Box{{first}, {first + count}}, ArrayMemory{{1}, {0}, 0, sizeof(int)}};
}

std::byte* bytes_of(std::vector<int>& elements) {
  return reinterpret_cast<std::byte*>(elements.data());
}

/// Rank r gives the rank after it, at most the last one, r + 1 elements, and gets nothing of it.
TEST_F(BoxExchangeTest, a_rank_that_only_gives_does_not_run_ahead) {
  std::vector<SharedBoxes> shared;
  const int own = rank();
  if (own + 1 < size()) shared.push_back({own + 1, {elements_box(0, own + 1)}, {}});
  if (own > 0) shared.push_back({own - 1, {}, {elements_box(size(), own)}});
  BoxExchange exchange(world_team(), shared, "testing");
  std::vector<int> elements(2 * static_cast<std::size_t>(size()));
  for (int step = 1; step <= 20; ++step) {
    std::fill_n(elements.begin(), size(), 100 * own + step);
    exchange.start(bytes_of(elements));
    std::fill_n(elements.begin(), size(), -1);  // has been sent as it was
    for (int i = 0; i < (own * step) % 5; ++i) yield();
    exchange.finish(bytes_of(elements));
    for (int i = 0; i < own; ++i) {
      ASSERT_EQ(elements[static_cast<std::size_t>(size() + i)], 100 * (own - 1) + step);
    }
  }
}

TEST_F(BoxExchangeTest, long_messages_arrive_as_well) {
  constexpr std::int64_t count = 100'000;
  std::vector<SharedBoxes> shared = {{test::next_rank(), {elements_box(0, count)}, {}}};
  if (size() < 3) {
    shared.front().received.push_back(elements_box(count, count));
  } else {
    shared.push_back({test::previous_rank(), {}, {elements_box(count, count)}});
  }
  BoxExchange exchange(world_team(), shared, "testing");
  std::vector<int> elements(2 * count);
  for (int step = 0; step < 6; ++step) {
    std::fill_n(elements.begin(), count, 100 * rank() + step);
    exchange.start(bytes_of(elements));
    std::fill_n(elements.begin(), count, -1);
    exchange.finish(bytes_of(elements));
    for (const std::int64_t at : {count, count + 777, 2 * count - 1}) {
      ASSERT_EQ(elements[static_cast<std::size_t>(at)], 100 * test::previous_rank() + step);
    }
  }
}

TEST_F(BoxExchangeTest, starting_waits_for_no_other_rank) {
  if (test::is_loopback()) return;  // All ranks are in one thread.
  constexpr std::int64_t count = 1'000'000;
  std::vector<SharedBoxes> shared;
  if (rank() < 2 && size() > 1) {
    shared.push_back({1 - rank(), {elements_box(0, count)}, {elements_box(count, count)}});
  }
  BoxExchange exchange(world_team(), shared, "testing");
  std::vector<int> elements(2 * count);
  for (int step = 0; step < 20; ++step) {
    const test::SharedPath started;
    if (rank() == 0) {
      std::fill_n(elements.begin(), count, step);
      exchange.start(bytes_of(elements));
      std::ofstream{*started} << "yes";
    } else {
      // Meanwhile this rank receives nothing.
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
      while (!std::filesystem::exists(*started) && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      ASSERT_TRUE(std::filesystem::exists(*started));
      exchange.start(bytes_of(elements));
    }
    exchange.finish(bytes_of(elements));
    if (rank() == 1) {
      ASSERT_EQ(elements.back(), step);
    }
  }
}

/// Its destructor runs at the end of the program, when there is no rank any more.
TEST_F(BoxExchangeTest, one_may_outlive_the_job) {
  static std::vector<std::unique_ptr<BoxExchange>> kept;
  kept.push_back(
      std::make_unique<BoxExchange>(world_team(), std::vector<SharedBoxes>{}, "testing"));
}

TEST_F(BoxExchangeTest, all_ranks_hear_of_one_without_room) {
  if (size() < 2) return;
  constexpr std::int64_t too_many = (std::int64_t{1} << 62) - 1;  // No memory has so many bytes.
  std::vector<SharedBoxes> shared;
  if (rank() == 0) shared.push_back({1, {elements_box(0, too_many)}, {}});
  if (rank() == 1) shared.push_back({0, {}, {elements_box(0, 1)}});
  EXPECT_THROW(BoxExchange(world_team(), shared, "testing"), std::exception);
}

TEST_F(BoxExchangeTest, start_and_finish_alternate) {
  BoxExchange exchange(world_team(), {}, "testing");
  EXPECT_TRUE(test::contains(test::error_of([&] { exchange.finish(nullptr); }),
                             "testing: finish() is called without an exchange"));
  exchange.start(nullptr);
  EXPECT_TRUE(test::contains(test::error_of([&] { exchange.start(nullptr); }),
                             "testing: start() is called while an exchange is under way"));
  exchange.finish(nullptr);
}

}  // namespace
}  // namespace tasuki::containers
