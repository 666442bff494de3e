#include <tasuki/containers/bag.hpp>

#include <algorithm>
#include <numeric>
#include <tasuki/detail/containers/owner.hpp>

#include "containers/shared_path.hpp"

namespace tasuki::test {
namespace {

using BagTest = RankTest;

/// A node of a tree whose shape nobody knows before; its children follow from its number alone.
struct Node {
  std::uint64_t number = 0;
  int depth = 0;
};

int children_count(const Node& node) {
  return node.depth < 12 ? static_cast<int>(containers::mixed(node.number) % 4) : 0;
}
Node child_of(const Node& node, int index) {
  return {containers::mixed(node.number + 1) + static_cast<std::uint64_t>(index), node.depth + 1};
}
std::uint64_t nodes_below(const Node& node) {
  std::uint64_t count = 1;
  for (int i = 0; i < children_count(node); ++i) count += nodes_below(child_of(node, i));
  return count;
}

TEST_F(BagTest, a_tree_is_searched_whole_wherever_it_begins) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Bag<Node> bag;
    const Node root{seed, 0};
    if (rank() == static_cast<int>(seed) % size()) bag.local_insert(root);
    std::uint64_t count = 0;
    bag.process([&](const Node& node, Bag<Node>& open) {
      ++count;
      for (int i = 0; i < children_count(node); ++i) open.local_insert(child_of(node, i));
    });
    EXPECT_EQ(allreduce(count, Sum{}), nodes_below(root));
    EXPECT_EQ(bag.size(), 0U);
  }
}

TEST_F(BagTest, work_may_be_added_anywhere_and_wait) {
  Bag<int> bag;
  int count = 0;
  for (int round = 0; round < 3; ++round) {
    if (rank() == 0) bag.local_insert(6);
    bag.process([&](int left, Bag<int>& open) {
      ++count;
      if (invoke(
              next_rank(), [](int n) { return n > 0; }, left)) {
        open.async_insert(left - 1);
        open.async_insert(left - 1);
      }
    });
  }
  EXPECT_EQ(allreduce(count, Sum{}), 3 * 127);
}

TEST_F(BagTest, work_reaches_other_ranks) {
  Bag<int> bag;
  if (rank() == 0) {
    for (int i = 0; i < 100; ++i) bag.local_insert(i);
  }
  int left_count = size() > 1 ? 1 : 0;  // Of other ranks that have had nothing yet.
  bool had_some = rank() == 0;
  const GlobalPtr<int> left_count_of_0 = broadcast(global_ptr(&left_count), 0);
  bag.process([&](int, Bag<int>& open) {
    if (rank() != 0 && !had_some) {
      had_some = true;
      post(
          0, [](GlobalPtr<int> count) { *count.raw() = 0; }, left_count_of_0);
    }
    // Rank 0 does not go on until another rank has had something, however fast it is.
    if (rank() == 0 && left_count > 0) open.local_insert(0), yield();
  });
  EXPECT_TRUE(size() == 1 || rank() != 0 || left_count == 0);
}

TEST_F(BagTest, what_a_function_throws_all_ranks_are_told_and_the_rest_stays) {
  Bag<int> bag;
  for (int round = 0; round < 3; ++round) {
    const int failing = round % size();
    bag.clear();
    for (int i = 0; i < 50; ++i) bag.local_insert(rank() == failing && i == 20 ? -1 : i);
    int done_count = 0;
    const auto work = [&] {
      bag.process([&](int item, Bag<int>& /*bag*/) {
        if (item == -1) throw std::out_of_range("a hole");
        ++done_count;
        yield();
      });
    };
    // Another rank may have taken the item before.
    std::string text;
    bool is_own = false;
    try {
      work();
    } catch (const std::out_of_range& e) {
      is_own = true;
      text = e.what();
    } catch (const error& e) {
      text = e.what();
    }
    EXPECT_TRUE(contains(text, "a hole")) << text;
    EXPECT_TRUE(is_own || contains(text, "Bag::process: on rank ")) << text;
    EXPECT_EQ(allreduce(is_own ? 1 : 0, Sum{}), 1);
    EXPECT_EQ(allreduce(done_count, Sum{}) + static_cast<int>(bag.size()), 50 * size() - 1);
    work();
    EXPECT_EQ(allreduce(done_count, Sum{}), 50 * size() - 1);
    EXPECT_EQ(bag.size(), 0U);
  }
}

TEST_F(BagTest, items_are_kept_until_they_are_processed) {
  Bag<std::string> bag;
  for (int i = 0; i < 10; ++i) bag.async_insert(std::to_string(i));
  EXPECT_EQ(bag.size(), static_cast<std::size_t>(10 * size()));
  std::vector<std::string> all = bag.gather();
  std::sort(all.begin(), all.end());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(std::count(all.begin(), all.end(), std::to_string(i)), size());
  }
  bag.for_all([&](const std::string& item) {
    EXPECT_EQ(item.size(), 1U);
    EXPECT_TRUE(contains(error_of([&] { bag.local_insert(item); }), "Bag::local_insert"));
  });
  bag.clear();
  EXPECT_EQ(bag.size(), 0U);
}

TEST_F(BagTest, a_file_brings_items_back) {
  const SharedPath path;
  Bag<int> bag;
  bag.async_insert(rank());
  bag.save(*path);
  Bag<int> other;
  other.local_insert(1000);
  other.load(*path);
  std::vector<int> all = other.gather();
  std::sort(all.begin(), all.end());
  std::vector<int> expected(static_cast<std::size_t>(size()));
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all, expected);
}

}  // namespace
}  // namespace tasuki::test
