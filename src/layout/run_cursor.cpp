#include <tasuki/detail/layout/run_cursor.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace tasuki::layout {
namespace {

/// A piece of the block and the axes along which it is repeated.
struct Pieces {
  std::int64_t first_offset_bytes = 0;
  std::int64_t bytes = 0;
  std::int64_t last_bytes = 0;
  std::vector<AxisWalk> axes = {};
};

/// Axes join the piece, the fastest first, as long as they lie without gaps in the whole array.
/// The first that is contiguous but has gaps between its runs is walked by runs.
Pieces pieces_of(const ArrayLayout& layout, int rank, const ArrayView& view) {
  Pieces pieces{view.first_offset_bytes, layout.element_bytes(), layout.element_bytes()};
  if (layout.local_count(rank) == 0) return pieces;
  std::int64_t block_stride_bytes = layout.element_bytes();
  for (int n = 0; n < layout.dimensions(); ++n) {
    const int dimension = layout.nth_fastest(n);
    const Axis& axis = layout.axis(dimension);
    const int process = layout.process(rank, dimension);
    const std::int64_t extent = axis.local_extent(process);
    const std::int64_t stride_bytes = view.stride_bytes[static_cast<std::size_t>(dimension)];
    const AxisWalk walk(axis, process, stride_bytes, block_stride_bytes);
    const bool is_contiguous = pieces.axes.empty() && stride_bytes == pieces.bytes;
    if (extent == 1) {
      pieces.first_offset_bytes += walk.offset_bytes();
    } else if (is_contiguous && axis.run_count(process) == 1) {
      pieces.first_offset_bytes += walk.offset_bytes();
      pieces.last_bytes = pieces.bytes *= extent;
    } else if (is_contiguous) {
      pieces.axes.push_back(AxisWalk::over_runs(axis, process, stride_bytes, block_stride_bytes));
      const IndexRun last = axis.run(process, axis.run_count(process) - 1);
      pieces.last_bytes = pieces.bytes * last.extent;
      pieces.bytes *= axis.run_extent();
    } else {
      pieces.axes.push_back(walk);
    }
    block_stride_bytes *= extent;
  }
  return pieces;
}

}  // namespace

RunCursor::RunCursor(const ArrayLayout& layout, int rank, const ArrayView& view)
    : walk_(0, {}), at_end_(false), piece_bytes_(0), last_piece_bytes_(0) {
  layout.check_rank(rank);
  check_dimensions(view, layout);
  if (!layout.selects_all()) {
    selection_.emplace(layout, rank, view);
    return;
  }
  Pieces pieces = pieces_of(layout, rank, view);
  at_end_ = layout.local_count(rank) == 0;
  piece_bytes_ = pieces.bytes;
  last_piece_bytes_ = pieces.last_bytes;
  walk_ = BlockWalk(pieces.first_offset_bytes, std::move(pieces.axes));
}

std::optional<ByteRun> RunCursor::next() {
  if (selection_) return selection_->next();
  if (at_end_) return {};
  ByteRun run = piece();
  while (true) {
    at_end_ = !walk_.advance();
    if (at_end_) return run;
    const ByteRun following = piece();
    // Runs of a cyclic axis may meet where one row ends and the next begins.
    if (following.array_offset_bytes != run.array_offset_bytes + run.bytes) return run;
    run.bytes += following.bytes;
  }
}

ByteRun RunCursor::piece() const noexcept {
  const auto& axes = walk_.axes();
  const bool is_last = axes.empty() || axes.front().index() + 1 == axes.front().extent();
  return {walk_.offset_bytes(), walk_.block_offset_bytes(),
          is_last ? last_piece_bytes_ : piece_bytes_};
}

}  // namespace tasuki::layout
