// An array distributed over ranks: which elements each rank holds, and how they lie in its memory.
//
// Sender and receiver of an array compute it from the same description, so that the layout itself
// need not travel. Whoever has all axes whole chooses between a copy on each rank and one on
// rank 0. Thread-safety: a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tasuki/detail/layout/axis.hpp>
#include <tasuki/detail/layout/grid.hpp>
#include <tasuki/detail/layout/index_range.hpp>
#include <tasuki/detail/layout/order.hpp>
#include <variant>
#include <vector>

namespace tasuki::layout {

/// Each rank holds the whole array.
struct Replicated {
  int ranks = 1;
  bool operator==(const Replicated&) const = default;
};
/// Rank 0 holds the whole array, the others nothing.
struct OnFirstRank {
  int ranks = 1;
  bool operator==(const OnFirstRank&) const = default;
};
/// A grid divides the array: dimension d of the grid along axis d.
using Placement = std::variant<Grid, Replicated, OnFirstRank>;

/// The elements of a rank lie without gaps in its *block*, by ascending local indices.
///     // 1000 x 500 doubles, rows in blocks, columns cyclic, on 2 x 2 ranks:
///     const ArrayLayout layout({Axis(1000, Block{}, 2), Axis(500, Cyclic{}, 2)}, Grid({2, 2}),
///                              sizeof(double), Order::row_major);
///     layout.owner(std::array<std::int64_t, 2>{999, 3});  // 3
///     layout.local_bytes(3);                              // 500 * 250 * 8
class ArrayLayout {
 public:
  /// Throws tasuki::error if grid and axes do not fit, an axis of an array that is not divided is
  /// not whole, there is no rank, an element has no bytes, or the whole array has more bytes than
  /// std::int64_t counts, axes of extent 0 taken as 1.
  ArrayLayout(std::vector<Axis> axes, Placement placement, std::size_t element_bytes,
              Order order = Order::row_major);

  int dimensions() const noexcept { return static_cast<int>(axes_.size()); }
  const Axis& axis(int dimension) const noexcept {
    return axes_[static_cast<std::size_t>(dimension)];
  }
  const Placement& placement() const noexcept { return placement_; }
  std::int64_t element_bytes() const noexcept { return element_bytes_; }
  /// Of the elements in a block.
  Order order() const noexcept { return order_; }
  int ranks() const noexcept { return ranks_; }

  /// The dimension whose local indices change n-th fastest along a block, n counted from 0.
  int nth_fastest(int n) const noexcept {
    return order_ == Order::row_major ? dimensions() - 1 - n : n;
  }

  /// Does the rank hold the part of the array that its processes along the axes own? False on
  /// ranks other than 0 of an array on the first rank. Requires, as all below: 0 <= rank < ranks().
  bool holds(int rank) const noexcept {
    return rank == 0 || !std::holds_alternative<OnFirstRank>(placement_);
  }
  /// The number of the rank among the processes along an axis.
  int process(int rank, int dimension) const noexcept;
  /// The rank that holds an element; of a replicated array, rank 0.
  /// Requires: a global index for each axis, inside the array.
  int owner(std::span<const std::int64_t> global) const;

  /// Indices of the rank's block along an axis.
  std::int64_t local_extent(int rank, int dimension) const noexcept;
  /// Elements of the rank's block.
  std::int64_t local_count(int rank) const noexcept;
  std::int64_t local_bytes(int rank) const noexcept { return local_count(rank) * element_bytes_; }
  /// Elements from a column (column-major; else a row) of the rank's block to the next, at least 1,
  /// as BLAS and LAPACK want it.
  std::int64_t leading_dimension(int rank) const noexcept;
  /// Of the array, not of its copies.
  std::int64_t whole_bytes() const noexcept { return whole_bytes_; }

  /// Returns: the same array, of which cursors give only the elements whose index along each axis
  /// is in that axis' range. Throws tasuki::error if there is not one range per axis, or one is
  /// outside of its axis or has a step below 1.
  ///     layout.selecting({{0, 1000, 1}, {0, 500, 2}});  // every second column
  ArrayLayout selecting(std::vector<IndexRange> ranges) const;
  ArrayLayout selecting_all() const;
  bool selects_all() const noexcept { return ranges_.empty(); }
  /// Of the indices along an axis whose elements are copied.
  IndexRange range(int dimension) const noexcept {
    if (selects_all()) return {0, axis(dimension).extent(), 1};
    return ranges_[static_cast<std::size_t>(dimension)];
  }
  /// Selected indices of the rank's block along an axis.
  std::int64_t selected_extent(int rank, int dimension) const noexcept;
  /// Selected elements of the rank's block.
  std::int64_t selected_count(int rank) const noexcept;
  std::int64_t selected_bytes(int rank) const noexcept {
    return selected_count(rank) * element_bytes_;
  }
  /// Of the array, not of its copies.
  std::int64_t whole_selected_bytes() const noexcept;

  /// Throws tasuki::error if there is no such rank.
  void check_rank(int rank) const;

  bool operator==(const ArrayLayout&) const = default;

 private:
  std::vector<Axis> axes_;
  Placement placement_;
  std::int64_t element_bytes_;
  Order order_;
  int ranks_;
  std::int64_t whole_bytes_;
  std::vector<IndexRange> ranges_ = {};  ///< None if all elements are selected.
};

}  // namespace tasuki::layout
