#include <tasuki/containers/hash_map.hpp>

#include <map>
#include <random>

#include "containers/shared_path.hpp"

namespace tasuki::test {
namespace {

using HashMapTest = RankTest;

/// Random operations of one rank on keys that no other rank uses, and what they come to.
class Model {
 public:
  Model(HashMap<std::string, std::int64_t>& map, unsigned seed)
      : map_(map), engine_(seed * 1000 + static_cast<unsigned>(rank())) {}

  void step() {
    const std::string key = std::to_string(rank()) + "/" + std::to_string(number(40));
    const std::int64_t value = number(1000);
    switch (number(6)) {
      case 0:
        map_.async_insert(key, value);
        expected_.try_emplace(key, value);
        break;
      case 1:
        map_.async_insert_or_assign(key, value);
        expected_[key] = value;
        break;
      case 2:
        map_.async_erase(key);
        expected_.erase(key);
        break;
      case 3:
        map_.async_visit(key, change, value);
        if (expected_.contains(key)) change(key, expected_[key], value);
        break;
      case 4:
        map_.async_visit_or_insert(key, change, value);
        change(key, expected_[key], value);
        break;
      default:
        map_.async_reduce(key, value, Max{});
        expected_[key] = expected_.contains(key) ? std::max(expected_[key], value) : value;
    }
  }
  const std::map<std::string, std::int64_t>& expected() const { return expected_; }

 private:
  static void change(const std::string&, std::int64_t& value, const std::int64_t& by) {
    value = 3 * value + by;
  }
  std::int64_t number(std::int64_t end) {
    return std::uniform_int_distribution<std::int64_t>(0, end - 1)(engine_);
  }

  HashMap<std::string, std::int64_t>& map_;
  std::mt19937 engine_;
  std::map<std::string, std::int64_t> expected_;
};

TEST_F(HashMapTest, random_operations_come_to_what_a_map_of_one_rank_has) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    HashMap<std::string, std::int64_t> map;
    Model model(map, seed);
    for (int step = 0; step < 400; ++step) model.step();
    EXPECT_EQ(map.size(), allreduce(model.expected().size(), Sum{}));
    for (const auto& [key, value] : model.expected()) {
      EXPECT_EQ(map.async_find(key).get(), std::optional(value)) << key;
    }
    barrier();
  }
}

TEST_F(HashMapTest, all_ranks_count_under_the_same_keys) {
  HashMap<int, int> map;
  for (int i = 0; i < 1000; ++i) map.async_reduce(i % 50, 1, Sum{});
  EXPECT_EQ(map.size(), 50U);
  map.for_all([](int, int& count) { EXPECT_EQ(count, 20 * size()); });
}

TEST_F(HashMapTest, a_visit_may_visit_others_of_the_map) {
  HashMap<int, int> map;
  const int last = 20 * size();
  struct Step {
    int last;
    void operator()(HashMap<int, int>& there, int key, int& value) const {
      ++value;
      if (key < last) there.async_visit_or_insert(key + 1, *this);
    }
  };
  map.async_visit_or_insert(0, Step{last});
  EXPECT_EQ(map.size(), static_cast<std::size_t>(last) + 1);
  map.for_all([](int, int value) { EXPECT_EQ(value, size()); });
}

TEST_F(HashMapTest, a_visit_may_wait) {
  HashMap<int, int> map;
  map.async_insert(1, 0);
  map.async_visit(1, [](int, int& value) {
    const int answer = invoke(next_rank(), [] { return 2; });
    value += answer;
  });
  map.async_visit_or_insert(rank() + 1000, [](int, int&) {});
  map.for_all([](int key, int value) { EXPECT_EQ(value, key == 1 ? 2 * size() : 0); });
}

TEST_F(HashMapTest, an_iteration_sees_what_was_there_when_it_began) {
  HashMap<int, int> map;
  for (int i = 0; i < 100; ++i) map.async_insert(i, 0);
  std::size_t seen_count = 0;
  map.for_all([&](int key, int&) {
    ++seen_count;
    map.async_insert(key + 100, 1);
    yield();
  });
  EXPECT_EQ(allreduce(seen_count, Sum{}), 100U);
  EXPECT_EQ(map.size(), 200U);
}

TEST_F(HashMapTest, keys_of_other_ranks_are_refused_by_local_operations) {
  HashMap<int, int> map;
  for (int key = 0; key < 100; ++key) {
    if (map.is_own(key)) {
      map.local_insert_or_assign(key, rank());
      ASSERT_NE(map.local_find(key), nullptr);
      EXPECT_EQ(*map.local_find(key), rank());
      continue;
    }
    const std::string text = error_of([&] { map.local_find(key); });
    EXPECT_TRUE(contains(
        text, "HashMap::local_find: the key belongs to rank " + std::to_string(map.owner(key))))
        << text;
  }
  EXPECT_EQ(map.size(), 100U);
  map.for_all([&](int key, int) {
    const std::string text = error_of([&] { map.local_insert_or_assign(key, 1); });
    EXPECT_TRUE(contains(text, "by a function that an iteration")) << text;
  });
}

TEST_F(HashMapTest, the_first_ones_of_all_ranks_are_found) {
  HashMap<std::string, int> map;
  for (int i = 0; i < 30; ++i) map.async_insert(std::to_string(i), i);
  const auto first = map.top_k(3, [](const auto& a, const auto& b) { return a.second > b.second; });
  const std::vector<std::pair<std::string, int>> expected{{"29", 29}, {"28", 28}, {"27", 27}};
  EXPECT_EQ(first, expected);
  const auto by_value = [](const auto& a, const auto& b) { return a.second < b.second; };
  EXPECT_EQ(map.top_k(100, by_value).size(), 30U);
}

TEST_F(HashMapTest, a_file_brings_back_what_was_saved) {
  const SharedPath path;
  HashMap<std::string, std::vector<int>> map;
  for (int i = 0; i < 30; ++i) map.async_insert(std::to_string(i), {i, i + 1});
  map.save(*path);
  HashMap<std::string, std::vector<int>> other;
  other.async_insert("gone after load", {});
  other.load(*path);
  EXPECT_EQ(other.size(), 30U);
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(other.async_find(std::to_string(i)).get(), std::optional(std::vector{i, i + 1}));
  }
  HashMap<int, int> different;
  const std::string text = error_of([&] { different.load(*path); });
  EXPECT_TRUE(contains(text, "does not hold a HashMap<")) << text;
}

TEST_F(HashMapTest, a_map_of_some_ranks_is_theirs_alone) {
  const Team half = world_team().split(rank() % 2);
  HashMap<int, int> map(half);
  for (int i = 0; i < 100; ++i) map.async_reduce(i, 1, Sum{});
  EXPECT_EQ(map.size(), 100U);
  map.for_all([&](int, int count) { EXPECT_EQ(count, half.size()); });
  map.clear();
  EXPECT_EQ(map.size(), 0U);
}

TEST_F(HashMapTest, values_that_are_large_travel_too) {
  HashMap<int, std::vector<int>> map;
  map.async_insert(rank(), std::vector<int>(100'000, rank()));
  map.for_all([](int key, const std::vector<int>& value) {
    EXPECT_EQ(value, std::vector<int>(100'000, key));
  });
  EXPECT_EQ(map.size(), static_cast<std::size_t>(size()));
}

TEST_F(HashMapTest, functions_that_capture_by_reference_are_refused) {
  HashMap<int, int> map;
  int sum = 0;
  const std::string refused = "captures the address of a variable on the stack of rank";
  const auto add = [&sum](int, int value) { sum += value; };
  EXPECT_TRUE(contains(error_of([&] { map.async_visit(1, add); }), refused));
  EXPECT_TRUE(contains(error_of([&] { map.async_visit_or_insert(1, add); }), refused));
  const auto count = [&sum](int a, int b) { return a + b + sum++; };
  const std::string text = error_of([&] { map.async_reduce(1, 2, count); });
  EXPECT_TRUE(contains(text, "async_reduce: the function object of ")) << text;
  EXPECT_TRUE(contains(text, refused)) << text;
  EXPECT_EQ(map.size(), 0u);
  EXPECT_EQ(sum, 0);
}

}  // namespace
}  // namespace tasuki::test
