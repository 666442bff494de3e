#include "npb/sp/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "apps/npb/sp/random_cell.hpp"
#include "npb/sp/right_side.hpp"

namespace tasuki::npb::sp {
namespace {

constexpr Problem problem{.edge = 70, .steps = 1, .step_size = 0.001};
/// Two blocks to a plane, and few planes.
constexpr Box box{apps::Range{0, problem.edge}, apps::Range{0, problem.edge}, apps::Range{30, 33}};

/// Exchanges two axes of a cell whose state is one gas everywhere.
Cell flipped(const Cell& cell, Axis one, Axis other) {
  Cell turned = cell;
  const Span range = cell.interior(x_axis);
  for (std::size_t m = 0; m < component_count; ++m)
    for_each_line(cell, [&](std::ptrdiff_t y, std::ptrdiff_t z) {
      for (std::ptrdiff_t x = range.begin; x < range.end; ++x) {
        std::array<std::ptrdiff_t, axis_count> at{x, y, z};
        std::swap(at[one], at[other]);
        turned.line(right_side + m, at[y_axis], at[z_axis])[at[x_axis]] =
            cell.line(right_side + m, y, z)[x];
      }
    });
  return turned;
}

/// The solutions of a sweep, block by block, which along x start from the waves that it makes.
std::vector<double> solutions(Sweep& sweep, const Cell& cell) {
  std::vector<double> all;
  Elimination elimination(sweep.rows());
  for (std::size_t block = 0; block < sweep.blocks(); ++block) {
    elimination.begin_lines();
    sweep.eliminate(cell, block, elimination);
    elimination.end_lines(sweep.rows());
    sweep.substitute(block, elimination);
    for (std::size_t row = 0; row < sweep.rows(); ++row)
      for (std::size_t m = 0; m < component_count; ++m)
        all.insert(all.end(), elimination.solution(row, m),
                   elimination.solution(row, m) + sweep.lanes(block));
  }
  return all;
}

TEST(SpSweep, AlongXSolvesTheTransposedLinesOfOneAlongY) {
  const Scheme scheme(problem);
  Cell cell = random_cell(problem.edge, box);
  for (std::ptrdiff_t z = -2; z < box[z_axis].size() + 2; ++z)
    for (std::ptrdiff_t y = -2; y < problem.edge + 2; ++y)
      for (std::ptrdiff_t x = -2; x < problem.edge + 2; ++x)
        for (std::size_t m = 0; m < component_count; ++m)
          cell.line(state + m, y, z)[x] = m == 0 ? 2 : m == 4 ? 5 : 1;
  const Cell rest = cell;
  RightSide(scheme, cell).find(cell);
  for (std::size_t m = 0; m < component_count; ++m)
    for_each_line(cell, [&](std::ptrdiff_t y, std::ptrdiff_t z) {
      std::copy_n(rest.line(right_side + m, y, z), problem.edge, cell.line(right_side + m, y, z));
    });
  // The sweep along y gets the waves along x that the other one makes itself.
  Cell waves = cell;
  for_each_line(cell, [&](std::ptrdiff_t y, std::ptrdiff_t z) {
    Arrays line;
    for (std::size_t m = 0; m < component_count; ++m) line[m] = waves.line(right_side + m, y, z);
    find_x_waves(cell, y, z, line);
  });
  const Cell turned = flipped(waves, x_axis, y_axis);
  Sweep along_x(scheme, x_axis, cell);
  Sweep along_y(scheme, y_axis, turned);
  EXPECT_EQ(along_x.blocks(), 2 * 3u);
  EXPECT_EQ(solutions(along_x, cell), solutions(along_y, turned));
}

}  // namespace
}  // namespace tasuki::npb::sp
