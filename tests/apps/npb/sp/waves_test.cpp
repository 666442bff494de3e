#include "npb/sp/waves.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "apps/npb/sp/random_cell.hpp"
#include "npb/sp/right_side.hpp"

namespace tasuki::npb::sp {
namespace {

TEST(SpWaves, WithoutSweepsTheyAddTheRightSide) {
  const Problem problem = problem_of(ProblemClass::s);
  const apps::Range whole{0, problem.edge};
  Cell cell = random_cell(problem.edge, {whole, whole, whole});
  RightSide(Scheme(problem), cell).find(cell);
  const Cell before = cell;
  const Span range = cell.interior(x_axis);
  const auto count = static_cast<std::size_t>(range.size());
  std::vector<double> numbers(component_count * static_cast<std::size_t>(problem.edge));
  Arrays waves;
  Arrays interior;
  for (std::size_t m = 0; m < component_count; ++m) {
    waves[m] = numbers.data() + m * static_cast<std::size_t>(problem.edge);
    interior[m] = waves[m] + range.begin;
  }
  for_each_line(cell, [&](std::ptrdiff_t y, std::ptrdiff_t z) {
    find_x_waves(cell, y, z, waves);
    turn_x_to_y(interior, count);
    turn_y_to_z(interior, count, interior);
    add_z_waves(interior, count, range.begin, y, z, cell);
    for (std::size_t m = 0; m < component_count; ++m)
      for (std::ptrdiff_t x = range.begin; x < range.end; ++x)
        ASSERT_NEAR(cell.line(state + m, y, z)[x],
                    before.line(state + m, y, z)[x] + before.line(right_side + m, y, z)[x], 1e-12);
  });
}

}  // namespace
}  // namespace tasuki::npb::sp
