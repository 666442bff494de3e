#include <tasuki/detail/containers/count_cache.hpp>

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tasuki::containers {
namespace {

using Cache = CountCache<int, std::hash<int>>;

TEST(CountCacheTest, nothing_that_is_added_is_lost) {
  std::mt19937 engine(1);
  for (const int different : {10, 3000, 100'000}) {
    Cache cache;
    std::map<int, std::uint64_t> sent;
    std::map<int, std::uint64_t> expected;
    const auto send = [&](int key, std::uint64_t times) { sent[key] += times; };
    for (int i = 0; i < 20'000; ++i) {
      const int key = static_cast<int>(engine() % static_cast<unsigned>(different));
      cache.add(key, 2, send);
      expected[key] += 2;
      if (i % 100 == 0) {
        cache.send_one(key, send);
        EXPECT_EQ(sent[key], expected[key]);
      }
      if (i % 7000 == 0) cache.send_all(send);
    }
    cache.send_all(send);
    EXPECT_EQ(sent, expected);
  }
}

TEST(CountCacheTest, what_is_added_while_others_are_sent_stays) {
  Cache cache;
  const auto nobody_leaves = [](int, std::uint64_t) { ADD_FAILURE(); };
  cache.add(1, 5, nobody_leaves);
  cache.send_all([&](int, std::uint64_t times) {
    EXPECT_EQ(times, 5U);
    cache.add(1, 7, nobody_leaves);
  });
  std::uint64_t left = 0;
  cache.send_all([&](int, std::uint64_t times) { left += times; });
  EXPECT_EQ(left, 7U);
}

/// Keys that are worth while, of many of which so many are different.
std::size_t taken_count(int different) {
  Cache cache;
  std::size_t count = 0;
  for (std::size_t i = 0; i < 10 * count_cache_pause; ++i) {
    if (!cache.is_worth_while()) continue;
    cache.add(static_cast<int>(i) % different, 1, [](int, std::uint64_t) {});
    ++count;
  }
  return count;
}

TEST(CountCacheTest, it_is_used_for_keys_that_come_again) {
  EXPECT_EQ(taken_count(100), 10 * count_cache_pause);
  EXPECT_LE(taken_count(1'000'000), count_cache_pause);
}

}  // namespace
}  // namespace tasuki::containers
