#include "npb/mg/operators.hpp"

#include <array>

namespace tasuki::npb::mg {
namespace {

using Line = std::array<double, most_line_points>;

/// Sums over the lines around a line: what a stencil adds to its points once, with the weight of
/// their distance, is summed once for the three points that use it.
struct Around {
  Line near;  ///< Of the four lines at distance 1 ...
  Line far;   ///< ... and of the four at distance sqrt(2).

  void sum(const Grid& grid, std::size_t y, std::size_t z) noexcept {
    const double* const north = grid.line(y + 1, z);
    const double* const south = grid.line(y - 1, z);
    const double* const above = grid.line(y, z + 1);
    const double* const below = grid.line(y, z - 1);
    const double* const north_above = grid.line(y + 1, z + 1);
    const double* const south_above = grid.line(y - 1, z + 1);
    const double* const north_below = grid.line(y + 1, z - 1);
    const double* const south_below = grid.line(y - 1, z - 1);
    const std::size_t count = grid.extent(x_axis);
    for (std::size_t x = 0; x < count; ++x) {
      near[x] = (south[x] + north[x]) + (below[x] + above[x]);
      far[x] = (south_below[x] + north_below[x]) + (south_above[x] + north_above[x]);
    }
  }
};

/// Calls visit(y, z) for each line of the grid's box.
template <class Visit>
void for_each_line(const Grid& grid, Visit visit) {
  for (std::size_t z = 1; z + 1 < grid.extent(z_axis); ++z)
    for (std::size_t y = 1; y + 1 < grid.extent(y_axis); ++y) visit(y, z);
}

/// fine[2 x] += weight * 2 line[x], fine[2 x + 1] += weight * (line[x] + line[x + 1]).
void add_interpolated(double weight, const double* __restrict line, std::size_t count,
                      double* __restrict fine) noexcept {
  const double twice = 2 * weight;
  for (std::size_t x = 0; x + 1 < count; ++x) {
    fine[2 * x] += twice * line[x];
    fine[2 * x + 1] += weight * (line[x] + line[x + 1]);
  }
}

}  // namespace

void find_residual(const Grid& u, const Grid& v, Grid& r) {
  const std::size_t last = u.extent(x_axis) - 1;
  Around around;
  for_each_line(u, [&](std::size_t y, std::size_t z) {
    around.sum(u, y, z);
    const double* const centre = u.line(y, z);
    const double* const right = v.line(y, z);
    double* const result = r.line(y, z);
#pragma omp simd
    for (std::size_t x = 1; x < last; ++x)
      result[x] = right[x] - laplacian.centre * centre[x] -
                  laplacian.edge * (around.far[x] + around.near[x - 1] + around.near[x + 1]) -
                  laplacian.corner * (around.far[x - 1] + around.far[x + 1]);
  });
}

void smooth(const Stencil& smoother, const Grid& r, Grid& u) {
  const Stencil weights = smoother;
  const std::size_t last = u.extent(x_axis) - 1;
  Around around;
  for_each_line(u, [&](std::size_t y, std::size_t z) {
    around.sum(r, y, z);
    const double* const centre = r.line(y, z);
    double* const result = u.line(y, z);
#pragma omp simd
    for (std::size_t x = 1; x < last; ++x)
      result[x] += weights.centre * centre[x] +
                   weights.face * (centre[x - 1] + centre[x + 1] + around.near[x]) +
                   weights.edge * (around.far[x] + around.near[x - 1] + around.near[x + 1]);
  });
}

void project(const Grid& fine, Grid& coarse) {
  const std::size_t last = coarse.extent(x_axis) - 1;
  Around around;
  for_each_line(coarse, [&](std::size_t y, std::size_t z) {
    around.sum(fine, 2 * y, 2 * z);
    const double* const centre = fine.line(2 * y, 2 * z);
    double* const result = coarse.line(y, z);
    for (std::size_t k = 1; k < last; ++k) {
      const std::size_t x = 2 * k;
      result[k] = 0.5 * centre[x] + 0.25 * (centre[x - 1] + centre[x + 1] + around.near[x]) +
                  0.125 * (around.near[x - 1] + around.near[x + 1] + around.far[x]) +
                  0.0625 * (around.far[x - 1] + around.far[x + 1]);
    }
  });
}

void interpolate(const Grid& coarse, Grid& fine) {
  const std::size_t count = coarse.extent(x_axis);
  Line north_too;
  Line above_too;
  Line all;
  for (std::size_t z = 0; z + 1 < coarse.extent(z_axis); ++z)
    for (std::size_t y = 0; y + 1 < coarse.extent(y_axis); ++y) {
      const double* const line = coarse.line(y, z);
      const double* const north = coarse.line(y + 1, z);
      const double* const above = coarse.line(y, z + 1);
      const double* const north_above = coarse.line(y + 1, z + 1);
      for (std::size_t x = 0; x < count; ++x) {
        north_too[x] = north[x] + line[x];
        above_too[x] = above[x] + line[x];
        all[x] = north_above[x] + above[x] + north_too[x];
      }
      add_interpolated(0.5, line, count, fine.line(2 * y, 2 * z));
      add_interpolated(0.25, north_too.data(), count, fine.line(2 * y + 1, 2 * z));
      add_interpolated(0.25, above_too.data(), count, fine.line(2 * y, 2 * z + 1));
      add_interpolated(0.125, all.data(), count, fine.line(2 * y + 1, 2 * z + 1));
    }
}

double squared_norm(const Grid& r) {
  const std::size_t last = r.extent(x_axis) - 1;
  double total = 0;
  for_each_line(r, [&](std::size_t y, std::size_t z) {
    const double* const line = r.line(y, z);
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t x = 1; x < last; ++x) sum += line[x] * line[x];
    total += sum;
  });
  return total;
}

}  // namespace tasuki::npb::mg
