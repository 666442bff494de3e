#include <tasuki/detail/layout/copy_block.hpp>

#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <tasuki/detail/base/copy_bytes.hpp>
#include <tasuki/detail/layout/block_walk.hpp>
#include <tasuki/detail/layout/run_cursor.hpp>
#include <utility>

namespace tasuki::layout {
namespace {

/// Of doubles, pieces of two cache lines each way. (AMD EPYC, 4096 x 4096 doubles, row- to
/// column-major order and back, GB/s with 16 / 32 / 64: 2.7 and 4.1 / 1.7 and 2.5 / 1.7 and 2.5;
/// without tiles 1.0.)
constexpr std::int64_t tile_extent = 16;

/// From the array into the block.
struct Pack {
  const std::byte* array;
  std::byte* block;

  void copy(const ByteRun& run) const noexcept {
    base::copy_bytes(block + run.block_offset_bytes, array + run.array_offset_bytes,
                     static_cast<std::size_t>(run.bytes));
  }
};

/// From the block into the array.
struct Unpack {
  std::byte* array;
  const std::byte* block;

  void copy(const ByteRun& run) const noexcept {
    base::copy_bytes(array + run.array_offset_bytes, block + run.block_offset_bytes,
                     static_cast<std::size_t>(run.bytes));
  }
};

/// The axes of a block of which array and block go on along different ones.
struct TiledAxes {
  AxisWalk in_block;  ///< Contiguous in the block.
  AxisWalk in_array;  ///< Of the others, the one with the shortest stride in the array.
  BlockWalk others;
};

/// Offsets of the next indices along an axis, at most a tile of them.
class TileSide {
 public:
  /// Takes the next indices of the walk.
  void fill(AxisWalk& walk) noexcept {
    count_ = std::min(tile_extent, walk.extent() - walk.index());
    for (std::int64_t i = 0; i < count_; ++i, walk.advance()) {
      array_offsets_bytes_[static_cast<std::size_t>(i)] = walk.offset_bytes();
      block_offsets_bytes_[static_cast<std::size_t>(i)] = walk.block_offset_bytes();
    }
  }
  std::size_t count() const noexcept { return static_cast<std::size_t>(count_); }
  std::int64_t array_offset_bytes(std::size_t i) const noexcept { return array_offsets_bytes_[i]; }
  std::int64_t block_offset_bytes(std::size_t i) const noexcept { return block_offsets_bytes_[i]; }

 private:
  std::int64_t count_ = 0;
  std::array<std::int64_t, tile_extent> array_offsets_bytes_;
  std::array<std::int64_t, tile_extent> block_offsets_bytes_;
};

/// The dimension that changes fastest among those of which the rank has more than one index.
std::optional<int> fastest_dimension(const ArrayLayout& layout, int rank) {
  for (int n = 0; n < layout.dimensions(); ++n) {
    if (layout.local_extent(rank, layout.nth_fastest(n)) > 1) return layout.nth_fastest(n);
  }
  return {};
}

bool has_runs(const ArrayLayout& layout, int rank, const ArrayView& view) {
  const auto fastest = fastest_dimension(layout, rank);
  if (!fastest) return true;
  const Axis& axis = layout.axis(*fastest);
  return view.stride_bytes[static_cast<std::size_t>(*fastest)] == layout.element_bytes() &&
         axis.run_extent() > 1;
}

/// Of those of which the rank has more than one index, `but` left out.
std::optional<int> dimension_of_shortest_stride(const ArrayLayout& layout, int rank,
                                                const ArrayView& view, int but) {
  std::optional<int> found;
  std::int64_t shortest_bytes = 0;
  for (int dimension = 0; dimension < layout.dimensions(); ++dimension) {
    if (dimension == but || layout.local_extent(rank, dimension) <= 1) continue;
    const std::int64_t bytes = std::abs(view.stride_bytes[static_cast<std::size_t>(dimension)]);
    if (found && bytes >= shortest_bytes) continue;
    found = dimension;
    shortest_bytes = bytes;
  }
  return found;
}

/// Requires: the rank has several elements.
TiledAxes tiled_axes_of(const ArrayLayout& layout, int rank, const ArrayView& view) {
  const int in_block = fastest_dimension(layout, rank).value();
  const auto in_array = dimension_of_shortest_stride(layout, rank, view, in_block);
  const AxisWalk single(Axis(1, Whole{}, 1), 0, 0, 0);
  TiledAxes tiled{single, single, BlockWalk(0, {})};
  std::vector<AxisWalk> others;
  std::int64_t block_stride_bytes = layout.element_bytes();
  for (int n = 0; n < layout.dimensions(); ++n) {
    const int dimension = layout.nth_fastest(n);
    const AxisWalk walk(layout.axis(dimension), layout.process(rank, dimension),
                        view.stride_bytes[static_cast<std::size_t>(dimension)], block_stride_bytes);
    block_stride_bytes *= walk.extent();
    if (dimension == in_block) {
      tiled.in_block = walk;
    } else if (dimension == in_array) {
      tiled.in_array = walk;
    } else {
      others.push_back(walk);
    }
  }
  tiled.others = BlockWalk(view.first_offset_bytes, std::move(others));
  return tiled;
}

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

template <class Element>
void copy_element(const Pack& side, Element element, std::int64_t array_bytes,
                  std::int64_t block_bytes) {
  element.copy(side.block + block_bytes, side.array + array_bytes);
}
template <class Element>
void copy_element(const Unpack& side, Element element, std::int64_t array_bytes,
                  std::int64_t block_bytes) {
  element.copy(side.array + array_bytes, side.block + block_bytes);
}

template <class Direction, class Element>
void copy_tile(const Direction& direction, Element element, const BlockWalk& others,
               const TileSide& in_array, const TileSide& in_block) {
  for (std::size_t i = 0; i < in_block.count(); ++i) {
    const std::int64_t array_bytes = others.offset_bytes() + in_block.array_offset_bytes(i);
    const std::int64_t block_bytes = others.block_offset_bytes() + in_block.block_offset_bytes(i);
    for (std::size_t j = 0; j < in_array.count(); ++j) {
      copy_element(direction, element, array_bytes + in_array.array_offset_bytes(j),
                   block_bytes + in_array.block_offset_bytes(j));
    }
  }
}

template <class Direction, class Element>
void copy_tiles(const Direction& direction, Element element, TiledAxes tiled) {
  TileSide in_array;
  TileSide in_block;
  do {
    do {
      in_array.fill(tiled.in_array);
      do {
        in_block.fill(tiled.in_block);
        copy_tile(direction, element, tiled.others, in_array, in_block);
      } while (tiled.in_block.index() != 0);
    } while (tiled.in_array.index() != 0);
  } while (tiled.others.advance());
}

template <class Direction>
void copy(const ArrayLayout& layout, int rank, const ArrayView& view, const Direction& direction) {
  if (layout.selected_count(rank) == 0) return;
  if (!layout.selects_all() || has_runs(layout, rank, view)) {
    RunCursor cursor(layout, rank, view);
    while (const auto run = cursor.next()) direction.copy(*run);
    return;
  }
  const TiledAxes tiled = tiled_axes_of(layout, rank, view);
  switch (layout.element_bytes()) {
    case 1:
      return copy_tiles(direction, FixedElement<1>{}, tiled);
    case 2:
      return copy_tiles(direction, FixedElement<2>{}, tiled);
    case 4:
      return copy_tiles(direction, FixedElement<4>{}, tiled);
    case 8:
      return copy_tiles(direction, FixedElement<8>{}, tiled);
    case 16:
      return copy_tiles(direction, FixedElement<16>{}, tiled);
    default:
      const auto bytes = static_cast<std::size_t>(layout.element_bytes());
      return copy_tiles(direction, AnyElement{bytes}, tiled);
  }
}

void check(const ArrayLayout& layout, int rank, const ArrayView& view, std::size_t array_bytes,
           std::size_t block_bytes) {
  layout.check_rank(rank);
  check(view, layout, array_bytes);
  const auto wanted = static_cast<std::size_t>(layout.local_bytes(rank));
  if (block_bytes == wanted) return;
  throw error("copy_block", fmt::format("a block of {} bytes, not of {}", block_bytes, wanted),
              "give a block of the layout's local_bytes");
}

}  // namespace

void pack_block(const ArrayLayout& layout, int rank, const ArrayView& view,
                std::span<const std::byte> array, std::span<std::byte> block) {
  check(layout, rank, view, array.size(), block.size());
  copy(layout, rank, view, Pack{array.data(), block.data()});
}

void unpack_block(const ArrayLayout& layout, int rank, const ArrayView& view,
                  std::span<const std::byte> block, std::span<std::byte> array) {
  check(layout, rank, view, array.size(), block.size());
  copy(layout, rank, view, Unpack{array.data(), block.data()});
}

}  // namespace tasuki::layout
