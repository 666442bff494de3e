#include "npb/sp/exact_solution.hpp"

#include <gtest/gtest.h>

#include "npb/sp/layout.hpp"

namespace tasuki::npb::sp {
namespace {

constexpr std::int64_t edge = 12;

TEST(SpExactSolution, AtTheCornersOfTheCube) {
  EXPECT_EQ(exact_solution(0, 0, 0), (Components{2, 1, 2, 2, 5}));
  // The sums of all coefficients.
  const Components sums{15.76, 8.26, 10.32, 9.72, 15.52};
  const Components corner = exact_solution(1, 1, 1);
  for (std::size_t m = 0; m < component_count; ++m) EXPECT_NEAR(corner[m], sums[m], 1e-14);
}

TEST(SpExactSolution, OfACellHasNoError) {
  Cell cell(Layout(edge, 1, 4).box(1), edge);
  set_exact_solution(edge, cell);
  EXPECT_EQ(squared_error(edge, cell), Components{});
}

TEST(SpExactSolution, TheInitialStateIsExactOnTheBoundaryAlone) {
  Cell exact(Layout(edge, 0, 1).box(0), edge);
  set_exact_solution(edge, exact);
  Cell initial = exact;
  set_initial_state(edge, initial);
  const auto is_inside = [](std::ptrdiff_t at) { return at > 0 && at < edge - 1; };
  for (std::ptrdiff_t z = 0; z < edge; ++z)
    for (std::ptrdiff_t y = 0; y < edge; ++y)
      for (std::ptrdiff_t x = 0; x < edge; ++x)
        EXPECT_EQ(initial.line(state, y, z)[x] != exact.line(state, y, z)[x],
                  is_inside(x) && is_inside(y) && is_inside(z));
}

}  // namespace
}  // namespace tasuki::npb::sp
