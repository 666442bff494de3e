#include <tasuki/containers/counting_set.hpp>

#include <map>
#include <random>

#include "containers/shared_path.hpp"

namespace tasuki::test {
namespace {

using CountingSetTest = RankTest;

TEST_F(CountingSetTest, counts_are_those_of_all_ranks) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    CountingSet<std::int64_t> numbers;
    std::map<std::int64_t, std::uint64_t> expected;
    // Every rank computes what all ranks add.
    for (int adder = 0; adder < size(); ++adder) {
      std::mt19937 engine(100 * seed + static_cast<unsigned>(adder));
      for (int i = 0; i < 300; ++i) {
        const std::int64_t number = engine() % 20;
        const std::uint64_t times = engine() % 4;
        expected[number] += times;
        if (adder == rank()) numbers.async_insert(number, times);
      }
    }
    EXPECT_EQ(numbers.size(), expected.size());
    std::uint64_t total = 0;
    for (const auto& [number, count] : expected) total += count;
    EXPECT_EQ(numbers.total(), total);
    numbers.for_all([&](std::int64_t number, std::uint64_t count) {
      EXPECT_EQ(count, expected[number]) << number;
    });
    EXPECT_EQ(numbers.async_count(3).get(), expected[3]);
    EXPECT_EQ(numbers.async_count(1000).get(), 0U);
    barrier();
  }
}

TEST_F(CountingSetTest, a_rank_sees_at_once_what_it_has_added) {
  CountingSet<int> numbers;
  for (std::uint64_t times = 1; times <= 10'000; ++times) {
    numbers.async_insert(rank());
    if (times % 1000 == 0) {
      EXPECT_EQ(numbers.async_count(rank()).get(), times);
    }
  }
  quiesce();
  EXPECT_EQ(numbers.async_count(next_rank()).get(), 10'000U);
  barrier();
}

TEST_F(CountingSetTest, collective_operations_wait_for_what_is_combined) {
  const Team half = world_team().split(rank() % 2);
  for (const Team& team : {world_team(), half}) {
    CountingSet<int> seen(team);
    if (team.rank() == 0) {
      for (int i = 0; i < 5000; ++i) seen.async_insert(i % 50);
    }
    EXPECT_EQ(seen.total(), 5000U);
    EXPECT_EQ(seen.size(), 50U);
    seen.for_all([](int, std::uint64_t count) { EXPECT_EQ(count, 100U); });
  }
}

TEST_F(CountingSetTest, the_most_frequent_come_first) {
  CountingSet<std::string> words;
  for (int i = 0; i < 10; ++i) words.async_insert(std::string(1, static_cast<char>('a' + i)), i);
  const auto first = words.top_k(2);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].first, "j");
  EXPECT_EQ(first[1].second, static_cast<std::uint64_t>(8 * size()));
}

TEST_F(CountingSetTest, a_file_brings_counts_back) {
  const SharedPath path;
  CountingSet<std::string> words;
  words.async_insert("sash", 5);
  words.save(*path);
  words.clear();
  EXPECT_EQ(words.total(), 0U);
  words.load(*path);
  EXPECT_EQ(words.async_count("sash").get(), static_cast<std::uint64_t>(5 * size()));
  barrier();
}

}  // namespace
}  // namespace tasuki::test
