#include <tasuki/detail/layout/block_walk.hpp>

#include <utility>

namespace tasuki::layout {

AxisWalk::AxisWalk(const Axis& axis, int process, std::int64_t stride_bytes,
                   std::int64_t block_stride_bytes) noexcept
    : extent_(axis.local_extent(process)),
      run_extent_(axis.run_extent()),
      stride_bytes_(stride_bytes),
      block_stride_bytes_(block_stride_bytes),
      first_offset_bytes_(stride_bytes * axis.global_index(process, 0)),
      offset_bytes_(first_offset_bytes_) {
  // Only between two runs is the gap inside the array, and its product inside 64 bits.
  if (extent_ > run_extent_) gap_bytes_ = stride_bytes * (axis.processes() - 1) * run_extent_;
}

AxisWalk AxisWalk::over_runs(const Axis& axis, int process, std::int64_t stride_bytes,
                             std::int64_t block_stride_bytes) noexcept {
  AxisWalk walk;
  walk.extent_ = axis.run_count(process);
  walk.run_extent_ = walk.extent_;
  if (walk.extent_ > 1) {
    walk.stride_bytes_ = stride_bytes * axis.processes() * axis.run_extent();
    walk.block_stride_bytes_ = block_stride_bytes * axis.run_extent();
  }
  walk.first_offset_bytes_ = stride_bytes * axis.global_index(process, 0);
  walk.offset_bytes_ = walk.first_offset_bytes_;
  return walk;
}

BlockWalk::BlockWalk(std::int64_t first_offset_bytes, std::vector<AxisWalk> axes)
    : axes_(std::move(axes)), offset_bytes_(first_offset_bytes) {
  for (const AxisWalk& axis : axes_) offset_bytes_ += axis.offset_bytes();
}

}  // namespace tasuki::layout
