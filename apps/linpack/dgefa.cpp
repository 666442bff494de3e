#include "dgefa.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace linpack {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

void solve(const Matrix& a, std::span<const std::int64_t> pivots, std::span<double> b) {
  for (std::int64_t k = 0; k + 1 < a.n; ++k) {
    std::swap(b[at(k)], b[at(pivots[at(k)])]);
    daxpy(b[at(k)], a.column(k).subspan(at(k + 1)), b.subspan(at(k + 1)));
  }
  for (std::int64_t k = a.n - 1; k >= 0; --k) {
    b[at(k)] /= a.column(k)[at(k)];
    daxpy(-b[at(k)], a.column(k).first(at(k)), b.first(at(k)));
  }
}

void solve_transposed(const Matrix& a, std::span<const std::int64_t> pivots, std::span<double> b) {
  for (std::int64_t k = 0; k < a.n; ++k) {
    const double sum = ddot(a.column(k).first(at(k)), b.first(at(k)));
    b[at(k)] = (b[at(k)] - sum) / a.column(k)[at(k)];
  }
  for (std::int64_t k = a.n - 2; k >= 0; --k) {
    b[at(k)] += ddot(a.column(k).subspan(at(k + 1)), b.subspan(at(k + 1)));
    std::swap(b[at(k)], b[at(pivots[at(k)])]);
  }
}

}  // namespace

std::int64_t idamax(std::span<const double> column, std::int64_t first) {
  std::int64_t largest = first;
  for (std::int64_t i = first + 1; i < std::ssize(column); ++i) {
    if (std::abs(column[at(i)]) > std::abs(column[at(largest)])) largest = i;
  }
  return largest;
}

void daxpy(double factor, std::span<const double> x, std::span<double> y) {
  if (factor == 0) return;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

double ddot(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += x[i] * y[i];
  return sum;
}

std::vector<std::int64_t> dgefa(const Matrix& a) {
  std::vector<std::int64_t> pivots;
  for (std::int64_t k = 0; k < a.n; ++k) {
    const std::span<double> column = a.column(k);
    const std::int64_t pivot = idamax(column, k);
    pivots.push_back(pivot);
    if (column[at(pivot)] == 0) continue;
    std::swap(column[at(pivot)], column[at(k)]);
    const std::span<double> multipliers = column.subspan(at(k + 1));
    for (double& one : multipliers) one /= -column[at(k)];
    for (std::int64_t j = k + 1; j < a.n; ++j) {
      const std::span<double> other = a.column(j);
      std::swap(other[at(pivot)], other[at(k)]);
      daxpy(other[at(k)], multipliers, other.subspan(at(k + 1)));
    }
  }
  return pivots;
}

void dgesl(const Matrix& a, std::span<const std::int64_t> pivots, std::span<double> b,
           bool is_transposed) {
  if (is_transposed) {
    solve_transposed(a, pivots, b);
  } else {
    solve(a, pivots, b);
  }
}

}  // namespace linpack
