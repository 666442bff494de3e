// Walks over the local indices of a rank's block and knows where each element lies, both in the
// whole array and in the block: by additions alone, as divisions would take longer than a copy.
//
// Used by RunCursor and ConvertedPieces. Thread-safety: one thread per walk.
#pragma once

#include <cstdint>
#include <tasuki/detail/layout/axis.hpp>
#include <vector>

namespace tasuki::layout {

/// Walks along one axis of a rank's block, in the order of local indices.
class AxisWalk {
 public:
  /// `stride_bytes` are those of the whole array; `block_stride_bytes` those of the block.
  /// Requires: the process owns an index of the axis.
  AxisWalk(const Axis& axis, int process, std::int64_t stride_bytes,
           std::int64_t block_stride_bytes) noexcept;
  /// Walks from run to run of the axis. Requires: as above.
  static AxisWalk over_runs(const Axis& axis, int process, std::int64_t stride_bytes,
                            std::int64_t block_stride_bytes) noexcept;

  /// How many steps the walk has.
  std::int64_t extent() const noexcept { return extent_; }
  /// The number of the step; the local index, unless the walk is over runs.
  std::int64_t index() const noexcept { return index_; }
  std::int64_t offset_bytes() const noexcept { return offset_bytes_; }
  std::int64_t block_offset_bytes() const noexcept { return block_offset_bytes_; }

  /// Goes on to the next. Returns: false if that was the last; the walk is back at the first then.
  bool advance() noexcept {
    if (++index_ == extent_) {
      index_ = in_run_ = 0;
      offset_bytes_ = first_offset_bytes_;
      block_offset_bytes_ = 0;
      return false;
    }
    block_offset_bytes_ += block_stride_bytes_;
    offset_bytes_ += stride_bytes_;
    if (++in_run_ == run_extent_) {
      in_run_ = 0;
      offset_bytes_ += gap_bytes_;
    }
    return true;
  }

 private:
  AxisWalk() = default;

  std::int64_t extent_ = 0;
  std::int64_t run_extent_ = 0;  ///< Steps without a gap.
  std::int64_t stride_bytes_ = 0;
  std::int64_t gap_bytes_ = 0;  ///< In the whole array: the runs of the other processes.
  std::int64_t block_stride_bytes_ = 0;
  std::int64_t first_offset_bytes_ = 0;
  std::int64_t index_ = 0;
  std::int64_t in_run_ = 0;
  std::int64_t offset_bytes_ = 0;
  std::int64_t block_offset_bytes_ = 0;
};

/// Walks along several axes, the first of which changes fastest.
class BlockWalk {
 public:
  /// `first_offset_bytes` is where the whole array begins.
  BlockWalk(std::int64_t first_offset_bytes, std::vector<AxisWalk> axes);

  std::int64_t offset_bytes() const noexcept { return offset_bytes_; }
  std::int64_t block_offset_bytes() const noexcept { return block_offset_bytes_; }
  const std::vector<AxisWalk>& axes() const noexcept { return axes_; }

  /// Goes on to the next. Returns: false if that was the last; the walk is back at the first then.
  bool advance() noexcept {
    for (AxisWalk& axis : axes_) {
      const std::int64_t before_bytes = axis.offset_bytes();
      const std::int64_t block_before_bytes = axis.block_offset_bytes();
      const bool went_on = axis.advance();
      offset_bytes_ += axis.offset_bytes() - before_bytes;
      block_offset_bytes_ += axis.block_offset_bytes() - block_before_bytes;
      if (went_on) return true;
    }
    return false;
  }

 private:
  std::vector<AxisWalk> axes_;
  std::int64_t offset_bytes_;
  std::int64_t block_offset_bytes_ = 0;
};

}  // namespace tasuki::layout
