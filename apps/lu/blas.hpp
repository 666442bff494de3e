// The BLAS and LAPACK routines that LU needs, of OpenBLAS on one thread: column-major matrices.
//
// Called by the factorisation. Thread-safety: pure functions of their arguments; `use_one_thread`
// is for the whole process.
#pragma once

#include <cstddef>
#include <span>

namespace tasuki::lu {

/// A column-major matrix in somebody's memory.
struct Matrix {
  double* data = nullptr;
  int rows = 0;
  int columns = 0;
  int stride = 1;  ///< From a column to the next.

  double* at(int row, int column) const noexcept {
    return data + row + static_cast<std::ptrdiff_t>(column) * stride;
  }
  /// Requires: the part lies inside.
  Matrix part(int row, int column, int part_rows, int part_columns) const noexcept {
    return {at(row, column), part_rows, part_columns, stride};
  }
};

/// Ranks are the only parallelism.
void use_one_thread();

/// dgetrf: P A = L U in place with partial pivoting; pivots[i] is the row, counted from 1, that row
/// i was exchanged with. A zero pivot stays and is no error: L U is still P A.
void factor(Matrix a, std::span<int> pivots);
/// dlaswp: exchanges row i with row pivots[i] - 1, i ascending.
void exchange_rows(Matrix a, std::span<const int> pivots);
/// dtrsm: a = L^-1 a, L being the unit lower triangle of `triangle`.
void solve_unit_lower(Matrix triangle, Matrix a);
/// dtrsm: a = U^-1 a, U being the upper triangle of `triangle`, with its diagonal.
void solve_upper(Matrix triangle, Matrix a);
/// dgemm: c = c - a b.
void subtract_product(Matrix a, Matrix b, Matrix c);

}  // namespace tasuki::lu
