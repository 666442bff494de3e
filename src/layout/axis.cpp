#include <tasuki/detail/layout/axis.hpp>

#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <algorithm>

namespace tasuki::layout {
namespace {

void check(std::int64_t extent, const Distribution& distribution, int processes) {
  if (extent < 0) {
    throw error("Axis", fmt::format("the extent is {}", extent), "give an extent of 0 or more");
  }
  if (processes < 1) {
    throw error("Axis", fmt::format("there are {} processes along it", processes),
                "give 1 process or more");
  }
  if (std::holds_alternative<Whole>(distribution) && processes != 1) {
    throw error("Axis", fmt::format("an axis that is whole has {} processes", processes),
                "give it 1 process, or distribute it by blocks");
  }
  const auto* cyclic = std::get_if<BlockCyclic>(&distribution);
  if (cyclic != nullptr && cyclic->block_extent < 1) {
    throw error("Axis", fmt::format("the block extent is {}", cyclic->block_extent),
                "give a block extent of 1 or more");
  }
}

std::int64_t block_extent_of(std::int64_t extent, const Distribution& distribution, int processes) {
  if (const auto* cyclic = std::get_if<BlockCyclic>(&distribution)) return cyclic->block_extent;
  if (std::holds_alternative<Cyclic>(distribution)) return 1;
  return std::max<std::int64_t>(1, extent / processes + (extent % processes != 0 ? 1 : 0));
}

}  // namespace

Axis::Axis(std::int64_t extent, Distribution distribution, int processes)
    : extent_(extent), distribution_(distribution), processes_(processes), block_extent_(1) {
  check(extent, distribution, processes);
  block_extent_ = block_extent_of(extent, distribution, processes);
}

std::int64_t Axis::local_begin(int process, std::int64_t global) const noexcept {
  TASUKI_DEBUG_ASSERT(process >= 0 && process < processes_);
  TASUKI_DEBUG_ASSERT(global >= 0 && global <= extent_);
  const std::int64_t blocks = global / block_extent_;
  const std::int64_t rounds = blocks / processes_;
  const std::int64_t in_round = blocks % processes_;
  if (process < in_round) return (rounds + 1) * block_extent_;
  return rounds * block_extent_ + (process == in_round ? global % block_extent_ : 0);
}

std::int64_t Axis::run_count(int process) const noexcept {
  const std::int64_t extent = local_extent(process);
  return extent / run_extent() + (extent % run_extent() != 0 ? 1 : 0);
}

IndexRun Axis::run(int process, std::int64_t index) const noexcept {
  const std::int64_t local = index * run_extent();
  return {global_index(process, local), local,
          std::min(run_extent(), local_extent(process) - local)};
}

}  // namespace tasuki::layout
