#include <tasuki/containers/disjoint_set.hpp>

#include <map>
#include <numeric>
#include <random>

#include "containers/shared_path.hpp"

namespace tasuki::test {
namespace {

using DisjointSetTest = RankTest;

/// The sets of one rank, as in textbooks.
class Sets {
 public:
  explicit Sets(int items) : parents_(static_cast<std::size_t>(items)) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }
  int find(int item) {
    int& parent = parents_[static_cast<std::size_t>(item)];
    return parent == item ? item : parent = find(parent);
  }
  void unite(int one, int other) { parents_[static_cast<std::size_t>(find(one))] = find(other); }

 private:
  std::vector<int> parents_;
};

TEST_F(DisjointSetTest, sets_are_those_of_one_rank) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    constexpr int items = 200;
    DisjointSet<int> sets;
    Sets expected(items);
    for (int item = rank(); item < items; item += size()) sets.async_insert(item);
    // Every rank knows what all ranks unite.
    for (int uniter = 0; uniter < size(); ++uniter) {
      std::mt19937 engine(100 * seed + static_cast<unsigned>(uniter));
      for (int i = 0; i < 120 / size(); ++i) {
        const int one = static_cast<int>(engine() % items);
        const int other = static_cast<int>(engine() % items);
        expected.unite(one, other);
        if (uniter == rank()) sets.async_union(one, other);
      }
    }
    std::size_t expected_count = 0;
    for (int item = 0; item < items; ++item) expected_count += expected.find(item) == item ? 1 : 0;
    EXPECT_EQ(sets.count_sets(), expected_count);
    EXPECT_EQ(sets.size(), static_cast<std::size_t>(items));
    std::map<int, int> representatives;  // By the number of the expected set.
    sets.for_all([&](int item, int representative) {
      const auto [known, _] = representatives.try_emplace(expected.find(item), representative);
      EXPECT_EQ(known->second, representative) << item;
      EXPECT_EQ(expected.find(representative), expected.find(item));
    });
    for (const auto& [set, representative] : representatives) {
      EXPECT_EQ(sets.async_find(set).get(), representative);
    }
    barrier();
  }
}

TEST_F(DisjointSetTest, a_long_row_becomes_one_set) {
  DisjointSet<std::string> sets;
  for (int i = rank(); i < 500; i += size()) {
    sets.async_union(std::to_string(i), std::to_string(i + 1));
  }
  EXPECT_EQ(sets.count_sets(), 1U);
  EXPECT_EQ(sets.size(), 501U);
  const std::string representative = sets.async_find("0").get();
  EXPECT_EQ(sets.async_find("500").get(), representative);
  EXPECT_EQ(sets.async_find("not there").get(), "not there");
  sets.for_all(
      [&](const std::string&, const std::string& theirs) { EXPECT_EQ(theirs, representative); });
}

TEST_F(DisjointSetTest, a_file_brings_sets_back) {
  const SharedPath path;
  DisjointSet<int> sets;
  for (int i = 0; i < 20; ++i) sets.async_union(i, i % 3);
  sets.save(*path);
  sets.clear();
  EXPECT_EQ(sets.size(), 0U);
  sets.load(*path);
  EXPECT_EQ(sets.size(), 20U);
  EXPECT_EQ(sets.count_sets(), 3U);
}

}  // namespace
}  // namespace tasuki::test
