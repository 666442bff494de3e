#include "npb/mg/operators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "npb/common/random.hpp"

namespace tasuki::npb::mg {
namespace {

Grid random_grid(std::int64_t x, std::int64_t y, std::int64_t z) {
  Grid grid({apps::Range{0, x}, apps::Range{0, y}, apps::Range{0, z}});
  RandomStream random;
  for (std::size_t at_z = 0; at_z < grid.extent(z_axis); ++at_z)
    for (std::size_t at_y = 0; at_y < grid.extent(y_axis); ++at_y)
      for (std::size_t at_x = 0; at_x < grid.extent(x_axis); ++at_x)
        grid.line(at_y, at_z)[at_x] = random.next();
  return grid;
}

/// Calls visit(dx, dy, dz, distance) for a point and its 26 neighbours.
template <class Visit>
void for_each_neighbour(Visit visit) {
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        visit(dx, dy, dz, std::abs(dx) + std::abs(dy) + std::abs(dz));
}

double at(const Grid& grid, std::size_t x, std::size_t y, std::size_t z, int dx, int dy, int dz) {
  const auto moved = [](std::size_t from, int by) { return from + static_cast<std::size_t>(by); };
  return grid.line(moved(y, dy), moved(z, dz))[moved(x, dx)];
}

double applied(const Stencil& stencil, const Grid& grid, std::size_t x, std::size_t y,
               std::size_t z) {
  const double weights[] = {stencil.centre, stencil.face, stencil.edge, stencil.corner};
  double sum = 0;
  for_each_neighbour([&](int dx, int dy, int dz, int distance) {
    sum += weights[distance] * at(grid, x, y, z, dx, dy, dz);
  });
  return sum;
}

/// Calls visit(x, y, z) for the points of the box.
template <class Visit>
void for_each_point(const Grid& grid, Visit visit) {
  for (std::size_t z = 1; z + 1 < grid.extent(z_axis); ++z)
    for (std::size_t y = 1; y + 1 < grid.extent(y_axis); ++y)
      for (std::size_t x = 1; x + 1 < grid.extent(x_axis); ++x) visit(x, y, z);
}

TEST(MgOperators, ResidualIsTheRightSideLessTheLaplacian) {
  const Grid u = random_grid(7, 4, 5);
  const Grid v = random_grid(7, 4, 5);
  Grid r({apps::Range{0, 7}, apps::Range{0, 4}, apps::Range{0, 5}});
  find_residual(u, v, r);
  for_each_point(u, [&](std::size_t x, std::size_t y, std::size_t z) {
    ASSERT_NEAR(r.line(y, z)[x], v.line(y, z)[x] - applied(laplacian, u, x, y, z), 1e-14);
  });
  Grid in_place = v;
  find_residual(u, in_place, in_place);
  for_each_point(u, [&](std::size_t x, std::size_t y, std::size_t z) {
    ASSERT_EQ(in_place.line(y, z)[x], r.line(y, z)[x]);
  });
}

TEST(MgOperators, SmoothingAddsTheSmoother) {
  const Stencil smoother = problem_of(ProblemClass::b).smoother;
  const Grid r = random_grid(6, 1, 3);
  const Grid before = random_grid(6, 1, 3);
  Grid u = before;
  smooth(smoother, r, u);
  for_each_point(u, [&](std::size_t x, std::size_t y, std::size_t z) {
    ASSERT_NEAR(u.line(y, z)[x], before.line(y, z)[x] + applied(smoother, r, x, y, z), 1e-14);
  });
}

TEST(MgOperators, ProjectionHalvesTheWeightWithEachStep) {
  const Grid fine = random_grid(8, 4, 2);
  Grid coarse({apps::Range{0, 4}, apps::Range{0, 2}, apps::Range{0, 1}});
  project(fine, coarse);
  const Stencil weights{0.5, 0.25, 0.125, 0.0625};
  for_each_point(coarse, [&](std::size_t x, std::size_t y, std::size_t z) {
    ASSERT_NEAR(coarse.line(y, z)[x], applied(weights, fine, 2 * x, 2 * y, 2 * z), 1e-14);
  });
}

TEST(MgOperators, InterpolationIsTheTransposeOfTwiceTheProjection) {
  const Grid coarse = random_grid(4, 2, 1);
  Grid fine({apps::Range{0, 8}, apps::Range{0, 4}, apps::Range{0, 2}});
  interpolate(coarse, fine);
  // Every coarse point is spread over the fine points around it.
  Grid expected({apps::Range{0, 8}, apps::Range{0, 4}, apps::Range{0, 2}});
  const double weights[] = {1, 0.5, 0.25, 0.125};
  for (std::size_t z = 0; z < coarse.extent(z_axis); ++z)
    for (std::size_t y = 0; y < coarse.extent(y_axis); ++y)
      for (std::size_t x = 0; x < coarse.extent(x_axis); ++x)
        for_each_neighbour([&](int dx, int dy, int dz, int distance) {
          const std::size_t to_x = 2 * x + static_cast<std::size_t>(dx);
          const std::size_t to_y = 2 * y + static_cast<std::size_t>(dy);
          const std::size_t to_z = 2 * z + static_cast<std::size_t>(dz);
          if (to_x < fine.extent(x_axis) && to_y < fine.extent(y_axis) &&
              to_z < fine.extent(z_axis))
            expected.line(to_y, to_z)[to_x] += weights[distance] * coarse.line(y, z)[x];
        });
  for (std::size_t z = 0; z < fine.extent(z_axis); ++z)
    for (std::size_t y = 0; y < fine.extent(y_axis); ++y)
      for (std::size_t x = 0; x < fine.extent(x_axis); ++x)
        ASSERT_NEAR(fine.line(y, z)[x], expected.line(y, z)[x], 1e-14) << x << " " << y << " " << z;
}

TEST(MgOperators, NormLeavesTheLayerOut) {
  Grid grid({apps::Range{0, 5}, apps::Range{0, 3}, apps::Range{0, 2}});
  for (std::size_t z = 0; z < grid.extent(z_axis); ++z)
    for (std::size_t y = 0; y < grid.extent(y_axis); ++y)
      std::fill_n(grid.line(y, z), grid.extent(x_axis), 2.0);
  EXPECT_EQ(squared_norm(grid), 4.0 * 5 * 3 * 2);
}

}  // namespace
}  // namespace tasuki::npb::mg
