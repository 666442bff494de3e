#include <tasuki/detail/layout/selection_cursor.hpp>

#include <cstddef>

namespace tasuki::layout {

SelectionCursor::SelectionCursor(const ArrayLayout& layout, int rank, const ArrayView& view)
    : first_offset_bytes_(view.first_offset_bytes),
      piece_bytes_(layout.element_bytes()),
      at_end_(layout.selected_count(rank) == 0) {
  if (at_end_) return;
  std::int64_t block_stride_bytes = layout.element_bytes();
  for (int n = 0; n < layout.dimensions(); ++n) {
    const int dimension = layout.nth_fastest(n);
    const Axis& axis = layout.axis(dimension);
    const int process = layout.process(rank, dimension);
    const std::int64_t extent = axis.local_extent(process);
    const std::int64_t stride_bytes = view.stride_bytes[static_cast<std::size_t>(dimension)];
    const bool is_whole = layout.selected_extent(rank, dimension) == extent;
    const bool is_contiguous = extent == 1 || stride_bytes == piece_bytes_;
    if (axes_.empty() && is_whole && is_contiguous && axis.run_count(process) == 1) {
      first_offset_bytes_ += stride_bytes * axis.global_index(process, 0);
      piece_bytes_ *= extent;
    } else {
      const SelectedAxis walk(axis, process, layout.range(dimension));
      axes_.push_back({walk, stride_bytes, block_stride_bytes});
    }
    block_stride_bytes *= extent;
  }
}

std::optional<ByteRun> SelectionCursor::next() {
  if (at_end_) return {};
  ByteRun run = piece();
  while (true) {
    advance();
    if (at_end_) return run;
    const ByteRun following = piece();
    if (following.array_offset_bytes != run.array_offset_bytes + run.bytes ||
        following.block_offset_bytes != run.block_offset_bytes + run.bytes) {
      return run;
    }
    run.bytes += following.bytes;
  }
}

ByteRun SelectionCursor::piece() const noexcept {
  ByteRun run{first_offset_bytes_, 0, piece_bytes_ * pieces_in_run()};
  for (const Walk& one : axes_) {
    run.array_offset_bytes += one.stride_bytes * one.axis.global();
    run.block_offset_bytes += one.block_stride_bytes * one.axis.local();
  }
  return run;
}

std::int64_t SelectionCursor::pieces_in_run() const noexcept {
  if (axes_.empty() || axes_.front().stride_bytes != piece_bytes_ ||
      axes_.front().block_stride_bytes != piece_bytes_) {
    return 1;
  }
  return axes_.front().axis.run_extent();
}

void SelectionCursor::advance() noexcept {
  std::int64_t count = pieces_in_run();
  for (Walk& one : axes_) {
    one.axis.advance(count);
    if (!one.axis.is_at_end()) return;
    one.axis.rewind();
    count = 1;
  }
  at_end_ = true;
}

}  // namespace tasuki::layout
