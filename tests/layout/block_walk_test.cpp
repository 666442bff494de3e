#include <gtest/gtest.h>
#include <tasuki/detail/layout/block_walk.hpp>

#include <vector>

#include "layout/random_layout.hpp"

namespace tasuki::layout {
namespace {

constexpr std::int64_t stride_bytes = 24;
constexpr std::int64_t block_stride_bytes = 8;

/// Where a walk is.
struct Step {
  std::int64_t index = 0;
  std::int64_t offset_bytes = 0;
  std::int64_t block_offset_bytes = 0;

  bool operator==(const Step&) const = default;
};

/// All steps from the first to the last; the walk is back at the first then.
std::vector<Step> steps_of(AxisWalk& walk) {
  std::vector<Step> steps;
  do {
    steps.push_back({walk.index(), walk.offset_bytes(), walk.block_offset_bytes()});
  } while (walk.advance());
  EXPECT_EQ(walk.extent(), std::ssize(steps));
  return steps;
}

/// By divisions.
std::vector<Step> elements_of(const Axis& axis, int process) {
  std::vector<Step> steps;
  for (std::int64_t i = 0; i < axis.local_extent(process); ++i) {
    steps.push_back({i, stride_bytes * axis.global_index(process, i), block_stride_bytes * i});
  }
  return steps;
}

std::vector<Step> runs_of(const Axis& axis, int process) {
  std::vector<Step> steps;
  for (const IndexRun& run : axis.runs(process)) {
    steps.push_back(
        {std::ssize(steps), stride_bytes * run.global_begin, block_stride_bytes * run.local_begin});
  }
  return steps;
}

TEST(AxisWalk, IsWhereElementsAndRunsLieTwice) {
  RandomLayouts random(11);
  for (int round = 0; round < 1000; ++round) {
    const int processes = static_cast<int>(random.number(1, 4));
    const Axis axis = random.axis(40, processes);
    for (int process = 0; process < processes; ++process) {
      if (axis.local_extent(process) == 0) continue;
      AxisWalk walk(axis, process, stride_bytes, block_stride_bytes);
      AxisWalk over_runs = AxisWalk::over_runs(axis, process, stride_bytes, block_stride_bytes);
      for (int time = 0; time < 2; ++time) {
        ASSERT_EQ(steps_of(walk), elements_of(axis, process)) << "round " << round;
        ASSERT_EQ(steps_of(over_runs), runs_of(axis, process)) << "round " << round;
      }
    }
  }
}

TEST(AxisWalk, MayGoBackwardsThroughTheArray) {
  const Axis axis(5, BlockCyclic{2}, 2);  // 0 0 1 1 0
  AxisWalk walk(axis, 0, -8, 8);
  EXPECT_EQ(steps_of(walk), (std::vector<Step>{{0, 0, 0}, {1, -8, 8}, {2, -32, 16}}));
}

TEST(AxisWalk, OfOneStepNeedsNoGapInsideSixtyFourBits) {
  constexpr std::int64_t extent = std::int64_t{1} << 60;
  const Axis axis(extent, Block{}, 2);
  AxisWalk walk = AxisWalk::over_runs(axis, 1, 8, 8);
  EXPECT_EQ(walk.offset_bytes(), extent / 2 * 8);
  EXPECT_FALSE(walk.advance());
  EXPECT_EQ(walk.offset_bytes(), extent / 2 * 8);
}

TEST(BlockWalk, ChangesTheFirstAxisFastest) {
  const Axis rows(3, Cyclic{}, 2);  // 0 1 0
  const Axis columns(2, Whole{}, 1);
  BlockWalk walk(100, {AxisWalk(columns, 0, 8, 8), AxisWalk(rows, 0, 16, 16)});
  std::vector<Step> steps;
  do {
    steps.push_back({std::ssize(steps), walk.offset_bytes(), walk.block_offset_bytes()});
  } while (walk.advance());
  EXPECT_EQ(steps, (std::vector<Step>{{0, 100, 0}, {1, 108, 8}, {2, 132, 16}, {3, 140, 24}}));
  EXPECT_EQ(walk.offset_bytes(), 100);
  EXPECT_EQ(walk.block_offset_bytes(), 0);
}

TEST(BlockWalk, WithoutAxesIsOneStep) {
  BlockWalk walk(16, {});
  EXPECT_EQ(walk.offset_bytes(), 16);
  EXPECT_FALSE(walk.advance());
  EXPECT_EQ(walk.offset_bytes(), 16);
}

}  // namespace
}  // namespace tasuki::layout
