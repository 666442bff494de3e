#include "sssp/heap.hpp"

#include <gtest/gtest.h>

#include <queue>
#include <random>

namespace tasuki::sssp {
namespace {

TEST(Heap, GivesTheLeastKeyLikeAPriorityQueue) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    Heap heap;
    std::priority_queue<Distance, std::vector<Distance>, std::greater<>> expected;
    for (int step = 0; step < 2000; ++step) {
      if (expected.empty() || random() % 5 < 3) {
        const Distance key = random() % 100;
        heap.push({key, static_cast<Node>(key) + 1});
        expected.push(key);
      } else {
        ASSERT_EQ(heap.least().key, expected.top()) << "seed " << seed;
        const Heap::Entry entry = heap.pop();
        ASSERT_EQ(entry.key, expected.top()) << "seed " << seed;
        ASSERT_EQ(entry.node, entry.key + 1);
        expected.pop();
      }
      ASSERT_EQ(heap.is_empty(), expected.empty());
    }
  }
}

}  // namespace
}  // namespace tasuki::sssp
