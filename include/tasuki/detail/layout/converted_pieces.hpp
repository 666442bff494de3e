// The pieces by which a rank's block is converted between its own order and that of a whole array,
// as between row- and column-major order.
//
// Called by senders and receivers of a block whose fastest axis is not contiguous in the array:
// RunCursor would give single elements. A piece is contiguous in the block, and short enough for a
// buffer that stays in the cache. Thread-safety: one thread per object.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/array_view.hpp>
#include <tasuki/detail/layout/block_walk.hpp>
#include <vector>

namespace tasuki::layout {

/// Pieces come in the order of the block's memory, without gaps.
///     if (auto pieces = ConvertedPieces::find(layout, rank, view)) {
///       pieces->pack_each(array, [&](std::span<const std::byte> piece) { send(piece); });
///     }
class ConvertedPieces {
 public:
  /// Several rows of most matrices, and short beside the caches of a core. (AMD EPYC, 8192 x 8192
  /// doubles, out of the array and back, GB/s with 256 KiB / 1 MiB / 4 MiB: 0.9 and 1.5 / 1.3 and
  /// 2.4 / 1.3 and 2.3; single elements out of it 0.6.)
  static constexpr std::size_t piece_bytes_most = std::size_t{1} << 20;

  /// Returns: nothing if the rank has no elements, if the layout does not select all of them, or if
  /// RunCursor gives runs of several elements. Throws tasuki::error as RunCursor does, and requires
  /// the same.
  static std::optional<ConvertedPieces> find(const ArrayLayout& layout, int rank,
                                             const ArrayView& view);

  /// Calls `use` with each piece, copied out of the array; it is there until `use` returns.
  template <class Use>
  void pack_each(const std::byte* array, Use use) {
    for (std::span<std::byte> piece = next(); !piece.empty(); piece = next()) {
      pack(array, piece.data());
      use(std::span<const std::byte>(piece));
    }
  }
  /// Calls `fill` with the memory of each piece, and copies what it has written into the array.
  template <class Fill>
  void unpack_each(std::byte* array, Fill fill) {
    for (std::span<std::byte> piece = next(); !piece.empty(); piece = next()) {
      fill(piece);
      unpack(piece.data(), array);
    }
  }

 private:
  /// Of doubles, tiles of two cache lines each way. (AMD EPYC, 4096 x 4096 doubles, row- to column-
  /// major order and back, GB/s with 16 / 32 / 64: 2.7 and 4.1 / 1.7 and 2.5 / 1.7 and 2.5; without
  /// tiles 1.0.)
  static constexpr std::int64_t tile_extent = 16;

  /// Offsets of a few indices along an axis.
  class TileSide {
   public:
    /// Takes the next indices of the walk, at most `count_most`.
    void fill(AxisWalk& walk, std::int64_t count_most) noexcept;
    std::int64_t count() const noexcept { return count_; }
    std::int64_t array_offset_bytes(std::int64_t i) const noexcept {
      return array_offsets_bytes_[static_cast<std::size_t>(i)];
    }
    std::int64_t block_offset_bytes(std::int64_t i) const noexcept {
      return block_offsets_bytes_[static_cast<std::size_t>(i)];
    }

   private:
    std::int64_t count_ = 0;
    std::array<std::int64_t, tile_extent> array_offsets_bytes_;
    std::array<std::int64_t, tile_extent> block_offsets_bytes_;
  };

  /// The axes of the block, from the fastest in its memory.
  struct Axes {
    AxisWalk in_block;  ///< Contiguous in the block.
    BlockWalk inner;
    AxisWalk in_array;  ///< Of which each piece has some indices, next to each other in the array.
    BlockWalk outer;
  };

  ConvertedPieces(Axes axes, std::int64_t element_bytes);
  static Axes axes_of(const ArrayLayout& layout, int rank, const ArrayView& view, int in_block,
                      int in_array);

  /// Returns: the buffer for the next piece; nothing after the last.
  std::span<std::byte> next();
  /// Copies the next piece and goes on to the one after. Requires: there is one.
  void pack(const std::byte* array, std::byte* piece) noexcept;
  void unpack(const std::byte* piece, std::byte* array) noexcept;

  std::int64_t row_part_count() const noexcept;
  template <class Direction>
  void copy_next(const Direction& direction) noexcept;
  template <class Direction, class Element>
  void copy_tiles(const Direction& direction, Element element) noexcept;

  Axes axes_;
  std::int64_t element_bytes_;
  std::int64_t row_bytes_;          ///< Of each index along in_array.
  std::int64_t in_array_most_ = 1;  ///< Indices along in_array of a piece.
  TileSide in_array_;               ///< Those of the next piece.
  bool at_end_ = false;
  std::vector<std::byte> buffer_ = {};
};

}  // namespace tasuki::layout
