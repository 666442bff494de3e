#include <gtest/gtest.h>
#include <tasuki/detail/layout/axis.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <limits>
#include <vector>

#include "layout/random_layout.hpp"

namespace tasuki::layout {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/// Owners by dealing out the blocks one after the other.
std::vector<int> dealt_out(const Axis& axis) {
  std::vector<int> owners;
  int process = 0;
  for (std::int64_t begin = 0; begin < axis.extent(); begin += axis.block_extent()) {
    const std::int64_t end = std::min(axis.extent(), begin + axis.block_extent());
    owners.insert(owners.end(), static_cast<std::size_t>(end - begin), process);
    process = (process + 1) % axis.processes();
  }
  return owners;
}

TEST(Axis, AgreesWithBlocksDealtOut) {
  RandomLayouts random(1);
  for (int round = 0; round < 500; ++round) {
    const Axis axis = random.axis(60, static_cast<int>(random.number(1, 6)));
    const std::vector<int> owners = dealt_out(axis);
    std::vector<std::int64_t> local(static_cast<std::size_t>(axis.processes()));
    for (std::int64_t global = 0; global < axis.extent(); ++global) {
      const int owner = owners[static_cast<std::size_t>(global)];
      EXPECT_EQ(axis.owner(global), owner);
      std::int64_t& next = local[static_cast<std::size_t>(owner)];
      EXPECT_EQ(axis.local_index(global), next);
      EXPECT_EQ(axis.local_begin(owner, global), next);
      EXPECT_EQ(axis.global_index(owner, next), global);
      ++next;
    }
    for (int process = 0; process < axis.processes(); ++process)
      EXPECT_EQ(axis.local_extent(process), local[static_cast<std::size_t>(process)]);
  }
}

TEST(Axis, RunsAreAllIndicesOfAProcessAndAsLongAsPossible) {
  RandomLayouts random(2);
  for (int round = 0; round < 500; ++round) {
    const Axis axis = random.axis(60, static_cast<int>(random.number(1, 6)));
    const std::vector<int> owners = dealt_out(axis);
    for (int process = 0; process < axis.processes(); ++process) {
      std::vector<IndexRun> expected;
      std::int64_t local = 0;
      for (std::int64_t global = 0; global < axis.extent(); ++global) {
        if (owners[static_cast<std::size_t>(global)] != process) continue;
        const bool follows =
            !expected.empty() && expected.back().global_begin + expected.back().extent == global;
        if (follows) {
          ++expected.back().extent;
        } else {
          expected.push_back({global, local, 1});
        }
        ++local;
      }
      std::vector<IndexRun> runs;
      for (const IndexRun& run : axis.runs(process)) runs.push_back(run);
      EXPECT_EQ(runs, expected);
    }
  }
}

TEST(Axis, BlocksAreThoseOfHighPerformanceFortran) {
  const Axis axis(9, Block{}, 4);  // Blocks of 3: the last process owns nothing.
  EXPECT_EQ(axis.block_extent(), 3);
  EXPECT_EQ(axis.local_extent(2), 3);
  EXPECT_EQ(axis.local_extent(3), 0);
}

TEST(Axis, HoldsAnyExtent) {
  const Axis cyclic(most, Cyclic{}, 3);
  EXPECT_EQ(cyclic.global_index(cyclic.owner(most - 1), cyclic.local_index(most - 1)), most - 1);
  const Axis block(most, Block{}, 2);
  EXPECT_EQ(block.local_extent(0) + block.local_extent(1), most);
  const Axis large_blocks(most, BlockCyclic{most}, 5);
  EXPECT_EQ(large_blocks.local_extent(0), most);
  EXPECT_EQ(large_blocks.local_extent(4), 0);
  EXPECT_EQ(large_blocks.run_count(0), 1);
}

TEST(Axis, RefusesWhatMakesNoSense) {
  EXPECT_THROW(Axis(-1, Block{}, 2), error);
  EXPECT_THROW(Axis(1, Block{}, 0), error);
  EXPECT_THROW(Axis(1, BlockCyclic{0}, 2), error);
  EXPECT_THROW(Axis(1, Whole{}, 2), error);
}

}  // namespace
}  // namespace tasuki::layout
