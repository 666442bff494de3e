// The pieces of memory by which the selected elements of a rank's block are copied, if the layout
// does not select all.
//
// Used by RunCursor, which is what others call. Thread-safety: one thread per cursor.
#pragma once

#include <cstdint>
#include <optional>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/array_view.hpp>
#include <tasuki/detail/layout/byte_run.hpp>
#include <tasuki/detail/layout/selected_axis.hpp>
#include <vector>

namespace tasuki::layout {

class SelectionCursor {
 public:
  /// Requires: there is such a rank, and the view has one stride per axis.
  SelectionCursor(const ArrayLayout& layout, int rank, const ArrayView& view);

  /// Returns: the next run, as long as possible; nothing after the last.
  std::optional<ByteRun> next();

 private:
  struct Walk {
    SelectedAxis axis;
    std::int64_t stride_bytes;
    std::int64_t block_stride_bytes;
  };

  /// Where the axes are.
  ByteRun piece() const noexcept;
  void advance() noexcept;
  std::int64_t pieces_in_run() const noexcept;

  std::int64_t first_offset_bytes_;
  std::int64_t piece_bytes_;  ///< Of the axes that change fastest and are copied whole.
  std::vector<Walk> axes_;    ///< The others, the fastest first.
  bool at_end_;
};

}  // namespace tasuki::layout
