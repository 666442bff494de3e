#include <tasuki/detail/layout/converted_pieces.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <tasuki/detail/base/copy_bytes.hpp>
#include <utility>
#include <vector>

namespace tasuki::layout {
namespace {

/// From the array into a piece of the block.
struct Pack {
  const std::byte* array;
  std::byte* piece;

  template <class Element>
  void copy(Element element, std::int64_t array_bytes, std::int64_t piece_bytes) const noexcept {
    element.copy(piece + piece_bytes, array + array_bytes);
  }
};

/// From a piece of the block into the array.
struct Unpack {
  std::byte* array;
  const std::byte* piece;

  template <class Element>
  void copy(Element element, std::int64_t array_bytes, std::int64_t piece_bytes) const noexcept {
    element.copy(array + array_bytes, piece + piece_bytes);
  }
};

/// An element whose size the compiler knows.
template <std::int64_t bytes>
struct FixedElement {
  static void copy(std::byte* to, const std::byte* from) noexcept { std::memcpy(to, from, bytes); }
};
struct AnyElement {
  std::size_t bytes;
  void copy(std::byte* to, const std::byte* from) const noexcept {
    base::copy_bytes(to, from, bytes);
  }
};

/// The first dimension of which the rank has more than one index, from the n-th fastest in the
/// block; none of them: dimensions.
int nth_with_extent(const ArrayLayout& layout, int rank, int n) {
  while (n < layout.dimensions() && layout.local_extent(rank, layout.nth_fastest(n)) <= 1) ++n;
  return n;
}

bool has_runs(const ArrayLayout& layout, int dimension, const ArrayView& view) {
  return view.stride_bytes[static_cast<std::size_t>(dimension)] == layout.element_bytes() &&
         layout.axis(dimension).run_extent() > 1;
}

/// The dimension of the shortest stride in the array, from the n-th fastest in the block: its place
/// in the order of the block, or that of the n-th if a row of it would be too long for a piece.
int nth_in_array(const ArrayLayout& layout, int rank, const ArrayView& view, int n,
                 std::int64_t row_bytes) {
  const auto stride_bytes = [&](int nth) {
    return std::abs(view.stride_bytes[static_cast<std::size_t>(layout.nth_fastest(nth))]);
  };
  int best = n;
  for (; n < layout.dimensions(); ++n) {
    const std::int64_t extent = layout.local_extent(rank, layout.nth_fastest(n));
    if (row_bytes * 2 > static_cast<std::int64_t>(ConvertedPieces::piece_bytes_most)) break;
    if (extent > 1 && stride_bytes(n) < stride_bytes(best)) best = n;
    row_bytes *= extent;
  }
  return best;
}

/// Calls `use` with what copies an element of so many bytes.
template <class Use>
void with_element(std::int64_t bytes, Use use) {
  switch (bytes) {
    case 1:
      return use(FixedElement<1>{});
    case 2:
      return use(FixedElement<2>{});
    case 4:
      return use(FixedElement<4>{});
    case 8:
      return use(FixedElement<8>{});
    case 16:
      return use(FixedElement<16>{});
    default:
      return use(AnyElement{static_cast<std::size_t>(bytes)});
  }
}

}  // namespace

void ConvertedPieces::TileSide::fill(AxisWalk& walk, std::int64_t count_most) noexcept {
  count_ = std::min({tile_extent, count_most, walk.extent() - walk.index()});
  for (std::int64_t i = 0; i < count_; ++i, walk.advance()) {
    array_offsets_bytes_[static_cast<std::size_t>(i)] = walk.offset_bytes();
    block_offsets_bytes_[static_cast<std::size_t>(i)] = walk.block_offset_bytes();
  }
}

std::optional<ConvertedPieces> ConvertedPieces::find(const ArrayLayout& layout, int rank,
                                                     const ArrayView& view) {
  layout.check_rank(rank);
  check_dimensions(view, layout);
  if (!layout.selects_all() || layout.local_count(rank) == 0) return {};
  const int in_block = nth_with_extent(layout, rank, 0);
  if (in_block == layout.dimensions()) return {};
  const int dimension = layout.nth_fastest(in_block);
  if (has_runs(layout, dimension, view)) return {};
  const std::int64_t row_bytes = layout.element_bytes() * layout.local_extent(rank, dimension);
  const int next = nth_with_extent(layout, rank, in_block + 1);
  const int in_array =
      next == layout.dimensions() ? next : nth_in_array(layout, rank, view, next, row_bytes);
  return ConvertedPieces(axes_of(layout, rank, view, in_block, in_array), layout.element_bytes());
}

ConvertedPieces::Axes ConvertedPieces::axes_of(const ArrayLayout& layout, int rank,
                                               const ArrayView& view, int in_block, int in_array) {
  const AxisWalk single(Axis(1, Whole{}, 1), 0, 0, 0);
  Axes axes{single, BlockWalk(0, {}), single, BlockWalk(0, {})};
  std::vector<AxisWalk> inner;
  std::vector<AxisWalk> outer;
  std::int64_t block_stride_bytes = layout.element_bytes();
  for (int n = 0; n < layout.dimensions(); ++n) {
    const int dimension = layout.nth_fastest(n);
    const AxisWalk walk(layout.axis(dimension), layout.process(rank, dimension),
                        view.stride_bytes[static_cast<std::size_t>(dimension)], block_stride_bytes);
    block_stride_bytes *= walk.extent();
    if (n == in_block) {
      axes.in_block = walk;
    } else if (n == in_array) {
      axes.in_array = walk;
    } else {
      (n < in_array ? inner : outer).push_back(walk);
    }
  }
  axes.inner = BlockWalk(0, std::move(inner));
  axes.outer = BlockWalk(view.first_offset_bytes, std::move(outer));
  return axes;
}

ConvertedPieces::ConvertedPieces(Axes axes, std::int64_t element_bytes)
    : axes_(std::move(axes)),
      element_bytes_(element_bytes),
      row_bytes_(axes_.in_block.extent() * element_bytes) {
  for (const AxisWalk& axis : axes_.inner.axes()) row_bytes_ *= axis.extent();
  in_array_most_ =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(piece_bytes_most) / row_bytes_);
  in_array_.fill(axes_.in_array, in_array_most_);
}

std::int64_t ConvertedPieces::row_part_count() const noexcept {
  const std::int64_t left = axes_.in_block.extent() - axes_.in_block.index();
  return std::min(left, std::max<std::int64_t>(
                            1, static_cast<std::int64_t>(piece_bytes_most) / element_bytes_));
}

std::span<std::byte> ConvertedPieces::next() {
  if (at_end_) return {};
  const std::int64_t row_bytes = row_bytes_ / axes_.in_block.extent() * row_part_count();
  const auto bytes = static_cast<std::size_t>(row_bytes * in_array_.count());
  if (buffer_.size() < bytes) buffer_.resize(bytes);
  return std::span(buffer_).first(bytes);
}

void ConvertedPieces::pack(const std::byte* array, std::byte* piece) noexcept {
  copy_next(Pack{array, piece});
}

void ConvertedPieces::unpack(const std::byte* piece, std::byte* array) noexcept {
  copy_next(Unpack{array, piece});
}

template <class Direction>
void ConvertedPieces::copy_next(const Direction& direction) noexcept {
  with_element(element_bytes_, [&](auto element) { copy_tiles(direction, element); });
  if (axes_.in_block.index() != 0) return;
  if (axes_.in_array.index() == 0) at_end_ = !axes_.outer.advance();
  in_array_.fill(axes_.in_array, in_array_most_);
}

template <class Direction, class Element>
void ConvertedPieces::copy_tiles(const Direction& direction, Element element) noexcept {
  const std::int64_t part_count = row_part_count();
  const std::int64_t piece_begins_bytes =
      in_array_.block_offset_bytes(0) + axes_.in_block.block_offset_bytes();
  TileSide in_block;
  do {
    const std::int64_t array_bytes = axes_.outer.offset_bytes() + axes_.inner.offset_bytes();
    const std::int64_t piece_bytes = axes_.inner.block_offset_bytes() - piece_begins_bytes;
    for (std::int64_t left = part_count; left > 0; left -= in_block.count()) {
      in_block.fill(axes_.in_block, left);
      for (std::int64_t i = 0; i < in_block.count(); ++i) {
        const std::int64_t array_row_bytes = array_bytes + in_block.array_offset_bytes(i);
        const std::int64_t piece_row_bytes = piece_bytes + in_block.block_offset_bytes(i);
        for (std::int64_t j = 0; j < in_array_.count(); ++j) {
          direction.copy(element, array_row_bytes + in_array_.array_offset_bytes(j),
                         piece_row_bytes + in_array_.block_offset_bytes(j));
        }
      }
    }
  } while (axes_.inner.advance());
}

}  // namespace tasuki::layout
