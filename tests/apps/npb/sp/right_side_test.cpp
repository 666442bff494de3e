#include "npb/sp/right_side.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "npb/sp/exact_solution.hpp"
#include "npb/sp/layout.hpp"

namespace tasuki::npb::sp {
namespace {

constexpr Problem problem{.edge = 12, .steps = 1, .step_size = 0.01};

Cell exact_cell(const Layout& layout, int number) {
  Cell cell(layout.box(number), problem.edge);
  set_exact_solution(problem.edge, cell);
  return cell;
}

TEST(SpRightSide, ForcingKeepsTheExactSolution) {
  const Scheme scheme(problem);
  Cell cell = exact_cell(Layout(problem.edge, 0, 1), 0);
  const RightSide side(scheme, cell);
  side.set_forcing(cell);
  EXPECT_GT(std::abs(cell.line(forcing, 5, 5)[5]), 1);
  side.find(cell);
  for (const double sum : squared_right_side(cell)) EXPECT_LT(sum, 1e-20);
}

TEST(SpRightSide, AGasAtRestStaysAsItIs) {
  Cell cell = exact_cell(Layout(problem.edge, 0, 1), 0);
  for (std::ptrdiff_t z = -2; z < problem.edge + 2; ++z)
    for (std::ptrdiff_t y = -2; y < problem.edge + 2; ++y)
      for (std::ptrdiff_t x = -2; x < problem.edge + 2; ++x)
        for (std::size_t m = 0; m < component_count; ++m)
          cell.line(state + m, y, z)[x] = m == 0 ? 2 : m == 4 ? 5 : 0;
  RightSide(Scheme(problem), cell).find(cell);
  // Near the boundary the fourth differences of a constant are not 0.
  for (std::size_t m = 0; m < component_count; ++m)
    EXPECT_NEAR(cell.line(right_side + m, 6, 5)[5], 0, 1e-14);
  EXPECT_DOUBLE_EQ(cell.line(inverse_density, 3, 3)[3], 0.5);
  EXPECT_DOUBLE_EQ(cell.line(pressure, 3, 3)[3], 2);
  EXPECT_DOUBLE_EQ(cell.line(sound, 3, 3)[3] * cell.line(sound, 3, 3)[3], 1.4);
}

TEST(SpRightSide, OfCellsIsThatOfTheWhole) {
  const Scheme scheme(problem);
  Cell whole = exact_cell(Layout(problem.edge, 0, 1), 0);
  RightSide(scheme, whole).find(whole);
  for (int rank = 0; rank < 9; ++rank) {
    const Layout layout(problem.edge, rank, 9);
    for (int number = 0; number < layout.cells(); ++number) {
      Cell cell = exact_cell(layout, number);
      RightSide(scheme, cell).find(cell);
      const Box& box = cell.box();
      const Span range = cell.interior(x_axis);
      for_each_line(cell, [&](std::ptrdiff_t y, std::ptrdiff_t z) {
        for (std::size_t m = 0; m < component_count; ++m)
          for (std::ptrdiff_t x = range.begin; x < range.end; ++x)
            ASSERT_NEAR(cell.line(right_side + m, y, z)[x],
                        whole.line(right_side + m, y + box[y_axis].begin,
                                   z + box[z_axis].begin)[x + box[x_axis].begin],
                        1e-12);
      });
    }
  }
}

}  // namespace
}  // namespace tasuki::npb::sp
