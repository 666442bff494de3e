// Which rank of CG holds which part of the matrix and of the vectors.
//
// The ranks form a grid. The rows are divided among the grid's rows, and the elements of each
// row block again among the ranks of that grid row: these are the rank's *segment* of every
// vector. A rank's matrix block has the rows of its grid row and the columns of all segments of
// its grid column, numbered consecutively. So a product needs no transposition: every rank sends
// its segment down its grid column (expand), multiplies, and sums the partial results along its
// grid row (fold). This is the two-dimensional division of Hendrickson, Leland and Plimpton (An
// efficient parallel algorithm for matrix-vector multiplication, 1995) for any number of ranks.
//
// Called by the matrix generator and by the communication. Thread-safety: const after construction.
#pragma once

#include <vector>

#include "common/partition.hpp"

namespace tasuki::npb::cg {

class Layout {
 public:
  /// Requires: 0 <= rank < ranks, and 1 <= ranks <= order.
  Layout(std::int64_t order, int rank, int ranks);

  std::int64_t order() const noexcept { return order_; }
  int rank() const noexcept { return rank_; }
  int ranks() const noexcept { return grid_rows_ * grid_columns_; }
  int grid_rows() const noexcept { return grid_rows_; }
  int grid_columns() const noexcept { return grid_columns_; }

  /// Matrix rows of this rank's block.
  apps::Range rows() const noexcept { return row_block(rank_ / grid_columns_); }
  /// Number of matrix columns of this rank's block.
  std::int64_t columns() const noexcept { return column_begins_.back(); }
  /// Elements of each vector that `rank` holds.
  apps::Range segment(int rank) const noexcept {
    return apps::part_of(row_block(rank / grid_columns_), rank % grid_columns_, grid_columns_);
  }
  apps::Range segment() const noexcept { return segment(rank_); }
  /// Where `peer`'s segment stands among the columns. Requires: `peer` in this grid column.
  apps::Range columns_of(int peer) const noexcept {
    const auto grid_row = static_cast<std::size_t>(peer / grid_columns_);
    return {column_begins_[grid_row], column_begins_[grid_row + 1]};
  }
  /// Where `peer`'s segment stands among the rows. Requires: `peer` in this grid row.
  apps::Range rows_of(int peer) const noexcept {
    const apps::Range range = segment(peer);
    return {range.begin - rows().begin, range.end - rows().begin};
  }

  /// The other ranks of this grid column, nearest below first and then around: at each moment
  /// every rank is written to by one peer only.
  const std::vector<int>& column_peers() const noexcept { return column_peers_; }
  /// The other ranks of this grid row, likewise.
  const std::vector<int>& row_peers() const noexcept { return row_peers_; }
  /// Where this rank stands in the list of `peer`'s row peers. Requires: `peer` in this grid row.
  std::ptrdiff_t place_among_row_peers(int peer) const noexcept {
    return (rank_ - peer + grid_columns_) % grid_columns_ - 1;
  }

  /// For each matrix column its number in this rank's block, or -1.
  std::vector<std::int32_t> column_numbers() const;

 private:
  apps::Range row_block(int grid_row) const noexcept {
    return apps::part_of({0, order_}, grid_row, grid_rows_);
  }

  std::int64_t order_;
  int rank_;
  int grid_rows_;
  int grid_columns_;
  std::vector<std::int64_t> column_begins_;
  std::vector<int> column_peers_;
  std::vector<int> row_peers_;
};

}  // namespace tasuki::npb::cg
