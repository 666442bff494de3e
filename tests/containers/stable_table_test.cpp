#include <tasuki/detail/containers/stable_table.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace tasuki::containers {
namespace {

/// So that many keys have their entries in the same places.
struct CoarseHash {
  std::size_t operator()(int key) const noexcept { return static_cast<std::size_t>(key % 7); }
};

template <class Hash>
void compare_with_unordered_map(unsigned seed, int keys) {
  std::mt19937 engine(seed);
  StableTable<int, std::string, Hash> table;
  std::unordered_map<int, std::string> expected;
  for (int step = 0; step < 3000; ++step) {
    const int key = static_cast<int>(engine() % static_cast<unsigned>(keys));
    if (engine() % 3 != 0) {
      const auto [element, is_new] = table.try_emplace(key, std::to_string(step));
      EXPECT_EQ(is_new, expected.try_emplace(key, std::to_string(step)).second);
      EXPECT_EQ(element->second, expected[key]);
    } else {
      table.erase(key);
      expected.erase(key);
    }
    ASSERT_EQ(table.size(), expected.size());
  }
  for (int key = 0; key < keys; ++key) {
    const auto* const found = table.find(key);
    ASSERT_EQ(found != nullptr, expected.contains(key)) << key;
    if (found != nullptr) {
      EXPECT_EQ(found->second, expected[key]);
    }
  }
  std::size_t count = 0;
  table.for_each([&](int key, const std::string& value) {
    ++count;
    EXPECT_EQ(value, expected.at(key));
  });
  EXPECT_EQ(count, expected.size());
}

TEST(StableTableTest, random_operations_come_to_what_an_unordered_map_has) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    compare_with_unordered_map<std::hash<int>>(seed, 500);
    compare_with_unordered_map<CoarseHash>(seed, 60);
  }
}

TEST(StableTableTest, elements_stay_where_they_are) {
  StableTable<int, int, std::hash<int>> table;
  int* const first = &table.try_emplace(0, 7).first->second;
  for (int key = 1; key < 10'000; ++key) table.try_emplace(key, key);
  for (int key = 1; key < 10'000; key += 2) table.erase(key);
  EXPECT_EQ(&table.find(0)->second, first);
  EXPECT_EQ(*first, 7);
}

TEST(StableTableTest, a_value_that_cannot_be_made_leaves_nothing) {
  struct Picky {
    explicit Picky(int value) {
      if (value < 0) throw std::invalid_argument("below 0");
    }
  };
  StableTable<int, Picky, std::hash<int>> table;
  EXPECT_THROW(table.try_emplace(1, -1), std::invalid_argument);
  EXPECT_EQ(table.size(), 0U);
  EXPECT_EQ(table.find(1), nullptr);
  EXPECT_TRUE(table.try_emplace(1, 1).second);
  EXPECT_EQ(table.size(), 1U);
  table.clear();
  EXPECT_EQ(table.find(1), nullptr);
}

}  // namespace
}  // namespace tasuki::containers
