#include <gtest/gtest.h>
#include <tasuki/detail/layout/selected_axis.hpp>

#include <limits>
#include <vector>

#include "layout/random_layout.hpp"

namespace tasuki::layout {
namespace {

std::vector<std::int64_t> walked(SelectedAxis walk) {
  std::vector<std::int64_t> indices;
  for (; !walk.is_at_end(); walk.advance(1)) indices.push_back(walk.global());
  return indices;
}

std::vector<std::int64_t> one_by_one(const Axis& axis, int process, const IndexRange& range) {
  std::vector<std::int64_t> indices;
  for (std::int64_t i = range.lower; i < range.upper; i += range.step) {
    if (axis.owner(i) == process) indices.push_back(i);
  }
  return indices;
}

TEST(SelectedAxis, GivesTheIndicesThatAreOwnedAndSelected) {
  RandomLayouts random(11);
  for (int round = 0; round < 3000; ++round) {
    const int processes = static_cast<int>(random.number(1, 4));
    const Axis axis = random.axis(60, processes);
    const IndexRange range = random.range(axis.extent());
    for (int process = 0; process < processes; ++process) {
      SelectedAxis walk(axis, process, range);
      ASSERT_EQ(walked(walk), one_by_one(axis, process, range)) << "round " << round;
      while (!walk.is_at_end()) {
        EXPECT_EQ(walk.local(), axis.local_index(walk.global()));
        walk.advance(walk.block_count());
      }
      walk.rewind();
      ASSERT_EQ(walked(walk), one_by_one(axis, process, range)) << "round " << round;
    }
  }
}

TEST(SelectedAxis, RunsEndWithBlocksAndWithTheRange) {
  const Axis axis(10, BlockCyclic{4}, 2);
  SelectedAxis walk(axis, 0, {1, 10, 1});
  EXPECT_EQ(walk.run_extent(), 3);
  walk.advance(3);
  EXPECT_EQ(walk.global(), 8);
  EXPECT_EQ(walk.run_extent(), 2);
  SelectedAxis stepped(axis, 0, {0, 10, 2});
  EXPECT_EQ(stepped.run_extent(), 1);
  EXPECT_EQ(stepped.block_count(), 2);
}

TEST(SelectedAxis, LongAxesDoNotOverflow) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Axis axis(most, BlockCyclic{std::int64_t{1} << 62}, 3);
  SelectedAxis second(axis, 1, {0, most, most - 1});
  EXPECT_EQ(second.global(), most - 1);
  second.advance(1);
  EXPECT_TRUE(second.is_at_end());
  EXPECT_TRUE(SelectedAxis(axis, 2, {0, most, 1}).is_at_end());
}

}  // namespace
}  // namespace tasuki::layout
