// One dimension of a distributed array: which process along it owns which indices.
//
// Every kind is block-cyclic: blocks of a fixed extent go round the processes, starting with
// process 0. A process numbers its own indices consecutively, in ascending order; these are its
// local indices, the others are global. Made by whoever describes an array, read by ArrayLayout.
// Thread-safety: a value.
#pragma once

#include <cstdint>
#include <ranges>
#include <tasuki/detail/base/assert.hpp>
#include <variant>

namespace tasuki::layout {

/// BLOCK of High Performance Fortran: one block of ceil(extent / processes) indices for each
/// process. The last ones may own fewer indices, or none.
struct Block {
  bool operator==(const Block&) const = default;
};
/// CYCLIC: blocks of one index.
struct Cyclic {
  bool operator==(const Cyclic&) const = default;
};
/// CYCLIC(k), as ScaLAPACK has it.
struct BlockCyclic {
  std::int64_t block_extent = 1;
  bool operator==(const BlockCyclic&) const = default;
};
/// Not distributed: all indices on one process.
struct Whole {
  bool operator==(const Whole&) const = default;
};
using Distribution = std::variant<Block, Cyclic, BlockCyclic, Whole>;

/// Consecutive global indices of one process; so are their local indices.
struct IndexRun {
  std::int64_t global_begin = 0;
  std::int64_t local_begin = 0;
  std::int64_t extent = 0;

  bool operator==(const IndexRun&) const = default;
};

///     const Axis axis(10, BlockCyclic{2}, 3);  // 0 0 1 1 2 2 0 0 1 1
///     axis.owner(6);                           // 0
///     axis.local_index(6);                     // 2
///     axis.global_index(1, 3);                 // 9
///     axis.local_extent(2);                    // 2
class Axis {
 public:
  /// Throws tasuki::error if the extent is negative, there is no process, the block extent is less
  /// than 1, or a whole axis shall lie on several processes.
  Axis(std::int64_t extent, Distribution distribution, int processes);

  std::int64_t extent() const noexcept { return extent_; }
  const Distribution& distribution() const noexcept { return distribution_; }
  int processes() const noexcept { return processes_; }
  /// Indices of a block; at least 1.
  std::int64_t block_extent() const noexcept { return block_extent_; }

  /// Requires: 0 <= global < extent().
  int owner(std::int64_t global) const noexcept {
    TASUKI_DEBUG_ASSERT(global >= 0 && global < extent_);
    return static_cast<int>(global / block_extent_ % processes_);
  }
  /// Its number among the indices of its owner. Requires: 0 <= global < extent().
  std::int64_t local_index(std::int64_t global) const noexcept {
    TASUKI_DEBUG_ASSERT(global >= 0 && global < extent_);
    return global / block_extent_ / processes_ * block_extent_ + global % block_extent_;
  }
  /// Requires: 0 <= process < processes(), 0 <= local < local_extent(process).
  std::int64_t global_index(int process, std::int64_t local) const noexcept {
    TASUKI_DEBUG_ASSERT(local >= 0 && local < local_extent(process));
    return (local / block_extent_ * processes_ + process) * block_extent_ + local % block_extent_;
  }
  /// How many indices the process owns: NUMROC of ScaLAPACK with process 0 as the first.
  /// Requires: 0 <= process < processes().
  std::int64_t local_extent(int process) const noexcept { return local_begin(process, extent_); }
  /// How many indices below `global` the process owns: the local index of the first that is not.
  /// Requires: 0 <= process < processes(), 0 <= global <= extent().
  std::int64_t local_begin(int process, std::int64_t global) const noexcept;

  /// How many indices follow each other without a gap; the last run of a process may be shorter.
  std::int64_t run_extent() const noexcept {
    return processes_ == 1 && extent_ > 0 ? extent_ : block_extent_;
  }
  std::int64_t run_count(int process) const noexcept;
  /// Requires: 0 <= index < run_count(process).
  IndexRun run(int process, std::int64_t index) const noexcept;
  /// What the process owns, in ascending order, each run as long as possible.
  ///     for (const IndexRun& run : axis.runs(process)) read(run.global_begin, run.extent);
  auto runs(int process) const {
    return std::views::iota(std::int64_t{0}, run_count(process)) |
           std::views::transform(
               [axis = *this, process](std::int64_t index) { return axis.run(process, index); });
  }

  bool operator==(const Axis&) const = default;

 private:
  std::int64_t extent_;
  Distribution distribution_;
  int processes_;
  std::int64_t block_extent_;
};

}  // namespace tasuki::layout
