// Walks along those indices of an axis that a process owns and that a range selects.
//
// Used by SelectionCursor, and to count what a rank has of a selection. Thread-safety: one thread
// per walk.
#pragma once

#include <cstdint>
#include <tasuki/detail/layout/axis.hpp>
#include <tasuki/detail/layout/index_range.hpp>

namespace tasuki::layout {

///     const Axis axis(10, BlockCyclic{2}, 2);  // 0 0 1 1 0 0 1 1 0 0
///     SelectedAxis walk(axis, 1, {3, 8, 1});   // 3, 6, 7
class SelectedAxis {
 public:
  /// Requires: 0 <= process < axis.processes(), 0 <= range.lower <= range.upper <= axis.extent(),
  /// range.step >= 1.
  SelectedAxis(const Axis& axis, int process, const IndexRange& range) noexcept;

  bool is_at_end() const noexcept { return global_ >= range_.upper; }
  /// Of the index at which the walk is. Requires, as all below: it is not at the end.
  std::int64_t global() const noexcept { return global_; }
  std::int64_t local() const noexcept { return axis_.local_index(global_); }
  /// How many selected indices follow each other from here without a gap: 1 if there are steps.
  std::int64_t run_extent() const noexcept { return range_.step == 1 ? run_end_ - global_ : 1; }
  /// How many selected indices there are from here to the next index of another process.
  std::int64_t block_count() const noexcept { return (run_end_ - global_ - 1) / range_.step + 1; }
  /// Goes on by so many selected indices. Requires: they are at most block_count().
  void advance(std::int64_t count) noexcept;
  /// Goes back to the first.
  void rewind() noexcept { seek(range_.lower); }

 private:
  /// To the first index of the range from `global`, which is one of it, that the process owns.
  void seek(std::int64_t global) noexcept;

  Axis axis_;
  int process_;
  IndexRange range_;
  std::int64_t global_ = 0;
  std::int64_t run_end_ = 0;  ///< Of the indices from here that the process owns, and the range.
};

}  // namespace tasuki::layout
