// dgefa and dgesl on a matrix whose blocks lie on the ranks of a grid, BLOCK in both dimensions.
//
// Used by the routine that `tasuki reproduce ninf` calls. A column that all ranks need is put
// together by a sum over the ranks. Collective: all ranks call each function alike. Thread-safety:
// the rank's own thread.
#pragma once

#include <tasuki/routines.h>

#include <cstdint>
#include <span>
#include <vector>

namespace linpack {

/// A rank's block of the matrix: as the layout of `a[columns][rows]` says, in C's order.
class Blocks {
 public:
  /// Copies the block. Requires: the whole array has `n` columns, and at least as many rows.
  Blocks(const tasuki_array_layout& layout, const double* block, std::int64_t n);

  void factor();
  /// Requires: factor() before. b, on all ranks, becomes x.
  void solve(std::span<double> b, bool is_transposed);

 private:
  struct Part {
    std::int64_t begin = 0;  ///< The first index that this rank owns.
    std::int64_t end = 0;
  };

  static Part part_of(const tasuki_array_layout& layout, int dimension, std::int64_t n);
  bool owns_column(std::int64_t j) const { return j >= columns_.begin && j < columns_.end; }
  bool owns_row(std::int64_t i) const { return i >= rows_.begin && i < rows_.end; }
  /// The rank's elements of a column that it owns, from a row on, and that of the first of them.
  std::span<double> owned(std::int64_t column, std::int64_t from_row);
  std::int64_t first_owned(std::int64_t from_row) const;
  double& element(std::int64_t i, std::int64_t j);

  std::int64_t find_pivot(std::int64_t column);
  void exchange_rows(std::int64_t i, std::int64_t j, std::int64_t from_column);
  void divide(std::int64_t column);
  void eliminate(std::int64_t k);
  /// Rows begin..end of a column, on all ranks, until the next call.
  std::span<const double> shared_column(std::int64_t column, std::int64_t begin, std::int64_t end);
  /// Of a column's rows begin..end and those of b, on all ranks.
  double shared_dot(std::int64_t column, std::int64_t begin, std::int64_t end,
                    std::span<const double> b);
  void solve_straight(std::span<double> b);
  void solve_transposed(std::span<double> b);

  std::int64_t n_;
  std::int64_t stride_;  ///< From a column of the block to the next.
  Part columns_;
  Part rows_;
  bool are_rows_divided_;
  std::vector<double> block_;
  std::vector<std::int64_t> pivots_;
  std::vector<double> shared_;
};

}  // namespace linpack
