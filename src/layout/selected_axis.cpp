#include <tasuki/detail/layout/selected_axis.hpp>

#include <algorithm>

namespace tasuki::layout {

SelectedAxis::SelectedAxis(const Axis& axis, int process, const IndexRange& range) noexcept
    : axis_(axis), process_(process), range_(range) {
  rewind();
}

void SelectedAxis::advance(std::int64_t count) noexcept {
  const std::int64_t left = (range_.upper - global_ - 1) / range_.step;
  if (count > left) {
    global_ = range_.upper;
    return;
  }
  const std::int64_t next = global_ + count * range_.step;
  if (next < run_end_) {
    global_ = next;
  } else {
    seek(next);
  }
}

void SelectedAxis::seek(std::int64_t global) noexcept {
  const std::int64_t block_extent = axis_.run_extent();
  const int processes = axis_.processes();
  while (global < range_.upper) {
    const std::int64_t to_end = block_extent - global % block_extent;
    const int owner = axis_.owner(global);
    if (owner == process_) {
      global_ = global;
      run_end_ = global + std::min(to_end, range_.upper - global);
      return;
    }
    // To the next block of the process, and there to the next index of the range.
    const std::int64_t blocks = (process_ - owner + processes) % processes - 1;
    const std::int64_t room = range_.upper - global - 1;
    if (to_end > room || (room - to_end) / block_extent < blocks) break;
    const std::int64_t steps = (to_end + blocks * block_extent - 1) / range_.step + 1;
    if (steps > room / range_.step) break;
    global += steps * range_.step;
  }
  global_ = range_.upper;
}

}  // namespace tasuki::layout
