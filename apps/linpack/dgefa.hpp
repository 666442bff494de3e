// LINPACK's dgefa and dgesl for one process: the linear equations of `tasuki reproduce ninf` as
// they are solved without a server (Dongarra, Bunch, Moler, Stewart 1979).
//
// Thread-safety: functions of their arguments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace linpack {

/// n columns of n elements, one after the other; element (i, j) is columns[j * n + i].
struct Matrix {
  std::int64_t n = 0;
  std::span<double> columns;

  std::span<double> column(std::int64_t j) const {
    return columns.subspan(static_cast<std::size_t>(j * n), static_cast<std::size_t>(n));
  }
};

/// Eliminates with partial pivoting: the matrix becomes its factors, the multipliers with the
/// opposite sign. Returns: the pivots' rows.
std::vector<std::int64_t> dgefa(const Matrix& a);
/// Solves a x = b, or trans(a) x = b if `is_transposed`, with what dgefa has made; b becomes x.
void dgesl(const Matrix& a, std::span<const std::int64_t> pivots, std::span<double> b,
           bool is_transposed);

/// The row of the largest magnitude among those from `first` on.
std::int64_t idamax(std::span<const double> column, std::int64_t first);
/// y += factor x, of equal sizes.
void daxpy(double factor, std::span<const double> x, std::span<double> y);
double ddot(std::span<const double> x, std::span<const double> y);

}  // namespace linpack
