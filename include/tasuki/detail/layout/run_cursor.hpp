// The contiguous pieces of memory by which a rank's block is copied from or to a whole array.
//
// Called by who sends or receives a block straight from or into an array of the caller: the pieces
// are made one after the other, for as many entries of an iovec as are wanted at a time, and never
// all at once. Thread-safety: one thread per cursor.
#pragma once

#include <cstdint>
#include <optional>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/array_view.hpp>
#include <tasuki/detail/layout/block_walk.hpp>
#include <tasuki/detail/layout/byte_run.hpp>
#include <tasuki/detail/layout/selection_cursor.hpp>

namespace tasuki::layout {

/// Gives the runs of the elements that the layout selects, in the order of the block's memory, each
/// as long as possible. If the whole array is not contiguous along the axis that changes fastest in
/// the block, each run is one element: ConvertedPieces is the way to copy such arrays.
///     RunCursor cursor(layout, rank, view);
///     while (const auto run = cursor.next()) send(array + run->array_offset_bytes, run->bytes);
class RunCursor {
 public:
  /// Throws tasuki::error if there is no such rank or the view has not one stride per axis.
  /// Requires: all offsets in the array are inside 64 bits, as `check` of the view makes sure.
  RunCursor(const ArrayLayout& layout, int rank, const ArrayView& view);

  /// Returns: the next run; nothing after the last.
  std::optional<ByteRun> next();

 private:
  ByteRun piece() const noexcept;

  std::optional<SelectionCursor> selection_ = {};  ///< Unless all elements are selected.
  BlockWalk walk_;
  bool at_end_;
  std::int64_t piece_bytes_;       ///< At each step of the walk.
  std::int64_t last_piece_bytes_;  ///< At the last step of its fastest axis.
};

}  // namespace tasuki::layout
