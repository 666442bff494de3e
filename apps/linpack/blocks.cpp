#include "blocks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tasuki/tasuki.hpp>
#include <utility>

#include "dgefa.hpp"

namespace linpack {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// The largest magnitude in a column, and where it is: the upper row if there are several.
struct Pivot {
  double magnitude = -1;
  std::int64_t row = 0;
};
struct LargerPivot {
  Pivot operator()(const Pivot& a, const Pivot& b) const {
    if (a.magnitude != b.magnitude) return a.magnitude > b.magnitude ? a : b;
    return a.row < b.row ? a : b;
  }
};

}  // namespace

Blocks::Part Blocks::part_of(const tasuki_array_layout& layout, int dimension, std::int64_t n) {
  const std::int64_t begin = layout.coordinates[dimension] * layout.block_extents[dimension];
  return {std::min(begin, n), std::min(begin + layout.local_extents[dimension], n)};
}

Blocks::Blocks(const tasuki_array_layout& layout, const double* block, std::int64_t n)
    : n_(n),
      stride_(layout.local_extents[1]),
      columns_(part_of(layout, 0, n)),
      rows_(part_of(layout, 1, n)),
      are_rows_divided_(layout.grid[1] > 1),
      block_(block, block + layout.local_extents[0] * layout.local_extents[1]),
      pivots_(at(n)) {}

std::int64_t Blocks::first_owned(std::int64_t from_row) const {
  return std::clamp(from_row, rows_.begin, rows_.end);
}

std::span<double> Blocks::owned(std::int64_t column, std::int64_t from_row) {
  const std::int64_t first = first_owned(from_row);
  return std::span(block_).subspan(at((column - columns_.begin) * stride_ + first - rows_.begin),
                                   at(rows_.end - first));
}

double& Blocks::element(std::int64_t i, std::int64_t j) {
  return block_[at((j - columns_.begin) * stride_ + i - rows_.begin)];
}

void Blocks::factor() {
  for (std::int64_t k = 0; k < n_; ++k) {
    const std::int64_t pivot = find_pivot(k);
    pivots_[at(k)] = pivot;
    exchange_rows(k, pivot, k);
    divide(k);
    eliminate(k);
  }
}

std::int64_t Blocks::find_pivot(std::int64_t column) {
  Pivot best;
  if (owns_column(column)) {
    const std::span<const double> values = owned(column, column);
    if (!values.empty()) {
      const std::int64_t largest = idamax(values, 0);
      best = {std::abs(values[at(largest)]), first_owned(column) + largest};
    }
  }
  return tasuki::allreduce(best, LargerPivot{}).row;
}

void Blocks::exchange_rows(std::int64_t i, std::int64_t j, std::int64_t from_column) {
  if (i == j) return;
  const std::int64_t first = std::clamp(from_column, columns_.begin, columns_.end);
  if (owns_row(i) && owns_row(j)) {
    for (std::int64_t k = first; k < columns_.end; ++k) std::swap(element(i, k), element(j, k));
  }
  if (!are_rows_divided_) return;
  const std::int64_t count = n_ - from_column;
  shared_.assign(at(2 * count), 0.0);
  for (std::int64_t k = first; k < columns_.end; ++k) {
    if (owns_row(i) == owns_row(j)) break;
    if (owns_row(i)) shared_[at(k - from_column)] = element(i, k);
    if (owns_row(j)) shared_[at(count + k - from_column)] = element(j, k);
  }
  tasuki::allreduce<double>(shared_, shared_, tasuki::Sum{});
  for (std::int64_t k = first; k < columns_.end; ++k) {
    if (owns_row(i) == owns_row(j)) break;
    if (owns_row(i)) element(i, k) = shared_[at(count + k - from_column)];
    if (owns_row(j)) element(j, k) = shared_[at(k - from_column)];
  }
}

void Blocks::divide(std::int64_t column) {
  const bool has_pivot = owns_column(column) && owns_row(column);
  const double pivot = tasuki::allreduce(has_pivot ? element(column, column) : 0.0, tasuki::Sum{});
  if (pivot == 0 || !owns_column(column)) return;
  for (double& one : owned(column, column + 1)) one /= -pivot;
}

void Blocks::eliminate(std::int64_t k) {
  const std::span<const double> all = shared_column(k, k + 1, n_);
  const std::int64_t skipped = std::max<std::int64_t>(0, first_owned(k + 1) - (k + 1));
  const std::vector<double> multipliers(all.begin() + skipped, all.end());
  const std::int64_t first = std::clamp(k + 1, columns_.begin, columns_.end);
  shared_.assign(at(n_), 0.0);  // Row k.
  for (std::int64_t j = first; j < columns_.end && owns_row(k); ++j) shared_[at(j)] = element(k, j);
  if (are_rows_divided_) tasuki::allreduce<double>(shared_, shared_, tasuki::Sum{});
  for (std::int64_t j = first; j < columns_.end; ++j) {
    const std::span<double> rest = owned(j, k + 1);
    daxpy(shared_[at(j)], std::span(multipliers).first(rest.size()), rest);
  }
}

std::span<const double> Blocks::shared_column(std::int64_t column, std::int64_t begin,
                                              std::int64_t end) {
  shared_.assign(at(end - begin), 0.0);
  if (owns_column(column)) {
    const std::int64_t first = std::min(first_owned(begin), end);
    const std::int64_t last = std::clamp(end, first, std::max(first, rows_.end));
    const std::span<const double> values = owned(column, first).first(at(last - first));
    std::ranges::copy(values, shared_.begin() + std::max<std::int64_t>(0, first - begin));
  }
  tasuki::allreduce<double>(shared_, shared_, tasuki::Sum{});
  return shared_;
}

double Blocks::shared_dot(std::int64_t column, std::int64_t begin, std::int64_t end,
                          std::span<const double> b) {
  double sum = 0;
  if (owns_column(column)) {
    const std::int64_t first = std::max(begin, rows_.begin);
    const std::int64_t last = std::min(end, rows_.end);
    for (std::int64_t i = first; i < last; ++i) sum += element(i, column) * b[at(i)];
  }
  return tasuki::allreduce(sum, tasuki::Sum{});
}

void Blocks::solve(std::span<double> b, bool is_transposed) {
  if (is_transposed) {
    solve_transposed(b);
  } else {
    solve_straight(b);
  }
}

void Blocks::solve_straight(std::span<double> b) {
  for (std::int64_t k = 0; k + 1 < n_; ++k) {
    std::swap(b[at(k)], b[at(pivots_[at(k)])]);
    daxpy(b[at(k)], shared_column(k, k + 1, n_), b.subspan(at(k + 1)));
  }
  for (std::int64_t k = n_ - 1; k >= 0; --k) {
    const std::span<const double> column = shared_column(k, 0, k + 1);
    b[at(k)] /= column[at(k)];
    daxpy(-b[at(k)], column.first(at(k)), b.first(at(k)));
  }
}

void Blocks::solve_transposed(std::span<double> b) {
  for (std::int64_t k = 0; k < n_; ++k) {
    const double sum = shared_dot(k, 0, k, b);
    const bool has_pivot = owns_column(k) && owns_row(k);
    b[at(k)] = (b[at(k)] - sum) / tasuki::allreduce(has_pivot ? element(k, k) : 0.0, tasuki::Sum{});
  }
  for (std::int64_t k = n_ - 2; k >= 0; --k) {
    b[at(k)] += shared_dot(k, k + 1, n_, b);
    std::swap(b[at(k)], b[at(pivots_[at(k)])]);
  }
}

}  // namespace linpack
