#include "stencil.hpp"

#include <algorithm>
#include <cmath>

namespace tasuki::bench::kernels {
namespace {

/// Of the cells 1 and 2 steps away: after the cell, and negative before it.
constexpr std::array<double, 2> weights = {1.0 / (2 * 1 * 2), 1.0 / (2 * 2 * 2)};

}  // namespace

StencilBlock::StencilBlock(const StencilGrid& grid, std::int64_t side)
    : side_(side),
      cells_(static_cast<std::size_t>(row_length() * row_length())),
      sums_(static_cast<std::size_t>(side * side)) {
  for (std::size_t d = 0; d < 2; ++d) {
    firsts_[d] = grid.coordinates[d] == 0 ? stencil_radius : 0;
    lasts_[d] = side - (grid.coordinates[d] == grid.extents[d] - 1 ? stencil_radius : 0);
  }
  for (std::int64_t i = 0; i < side; ++i) {
    for (std::int64_t j = 0; j < side; ++j) {
      const std::int64_t sum = grid.coordinates[0] * side + i + grid.coordinates[1] * side + j;
      cells_[place(i, j)] = static_cast<double>(sum);
    }
  }
}

void StencilBlock::add(std::int64_t first_i, std::int64_t last_i, std::int64_t first_j,
                       std::int64_t last_j) {
  first_i = std::max(first_i, firsts_[0]);
  last_i = std::min(last_i, lasts_[0]);
  first_j = std::max(first_j, firsts_[1]);
  last_j = std::min(last_j, lasts_[1]);
  const std::int64_t row = row_length();
  for (std::int64_t i = first_i; i < last_i; ++i) {
    const double* const cell = cells_.data() + place(i, 0);
    double* const sum = sums_.data() + i * side_;
    for (std::int64_t j = first_j; j < last_j; ++j) {
      sum[j] += weights[0] * (cell[j + 1] - cell[j - 1] + cell[j + row] - cell[j - row]) +
                weights[1] * (cell[j + 2] - cell[j - 2] + cell[j + 2 * row] - cell[j - 2 * row]);
    }
  }
}

void StencilBlock::add_inner() {
  add(stencil_radius, side_ - stencil_radius, stencil_radius, side_ - stencil_radius);
}

void StencilBlock::add_outer() {
  add(0, stencil_radius, 0, side_);
  add(stencil_radius, side_ - stencil_radius, 0, stencil_radius);
  add(stencil_radius, side_ - stencil_radius, side_ - stencil_radius, side_);
  add(side_ - stencil_radius, side_, 0, side_);
}

void StencilBlock::step() {
  for (std::int64_t i = 0; i < side_; ++i) {
    double* const cell = cells_.data() + place(i, 0);
    for (std::int64_t j = 0; j < side_; ++j) cell[j] += 1;
  }
}

/// The cells are the sum of their indices and a number, whose slopes are 1 in both dimensions.
bool StencilBlock::is_right(int steps) const {
  for (std::int64_t i = firsts_[0]; i < lasts_[0]; ++i) {
    for (std::int64_t j = firsts_[1]; j < lasts_[1]; ++j) {
      const double sum = sums_[static_cast<std::size_t>(i * side_ + j)];
      if (std::abs(sum - 2.0 * steps) > 1e-6 * steps) return false;
    }
  }
  return true;
}

}  // namespace tasuki::bench::kernels
