// Processes in a grid of any number of dimensions: a rank's coordinates, and back.
//
// Ranks are numbered row by row, as MPI_Cart_create and the BLACS's 'Row' do it, or column by
// column, as the BLACS's 'Col' does. Made by whoever describes an array. Thread-safety: a value.
#pragma once

#include <span>
#include <tasuki/detail/layout/order.hpp>
#include <vector>

namespace tasuki::layout {

///     const Grid grid({2, 3});
///     grid.coordinate(4, 0), grid.coordinate(4, 1);  // 1, 1
///     grid.rank_at(std::array{1, 1});                // 4
class Grid {
 public:
  /// `extents` are the processes along each dimension. Throws tasuki::error if one is less than 1
  /// or their product is beyond int.
  explicit Grid(std::vector<int> extents, Order order = Order::row_major);

  /// Divides the ranks among the dimensions whose extent is 0 as evenly as possible, as
  /// MPI_Dims_create does: the largest is as small as it can be, then the next; the earlier
  /// dimensions get the larger extents. Other extents stay as they are.
  /// Throws tasuki::error if the extents that stay do not divide the number of ranks.
  ///     Grid::balanced(6, {0, 3, 0});  // {2, 3, 1}
  static Grid balanced(int ranks, std::vector<int> extents, Order order = Order::row_major);

  int dimensions() const noexcept { return static_cast<int>(extents_.size()); }
  std::span<const int> extents() const noexcept { return extents_; }
  Order order() const noexcept { return order_; }
  int ranks() const noexcept { return ranks_; }

  /// Requires: 0 <= rank < ranks(), 0 <= dimension < dimensions().
  int coordinate(int rank, int dimension) const noexcept;
  /// Requires: a coordinate for each dimension, inside the grid.
  int rank_at(std::span<const int> coordinates) const noexcept;

  bool operator==(const Grid&) const = default;

 private:
  std::vector<int> extents_;
  std::vector<int> strides_;  ///< From a coordinate to the next, in ranks.
  Order order_;
  int ranks_;
};

}  // namespace tasuki::layout
