#include "npb/sp/faces.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "npb/sp/exact_solution.hpp"
#include "npb/sp/layout.hpp"

namespace tasuki::npb::sp {
namespace {

constexpr std::int64_t edge = 13;

/// All that the lines of the interior find in two layers beyond the cell, along one axis.
template <class Visit>
void for_each_point_beside(const Cell& cell, Axis axis, Side side, Visit visit) {
  std::array<Span, axis_count> part;
  for (const Axis each : all_axes) part[each] = cell.interior(each);
  const std::ptrdiff_t end = cell.points(axis).end;
  part[axis] = side == lower ? Span{-2, 0} : Span{end, end + 2};
  for (std::size_t m = 0; m < component_count; ++m)
    for (std::ptrdiff_t z = part[z_axis].begin; z < part[z_axis].end; ++z)
      for (std::ptrdiff_t y = part[y_axis].begin; y < part[y_axis].end; ++y)
        for (std::ptrdiff_t x = part[x_axis].begin; x < part[x_axis].end; ++x)
          visit(state + m, x, y, z);
}

TEST(SpFaces, BringTheStateOfTheNextCell) {
  const Layout layout(edge, 0, 4);
  for (const Axis axis : all_axes) {
    const Layout above(edge, layout.neighbour(axis, upper), 4);
    Cell here(layout.box(layout.cell_at(axis, 0)), edge);
    Cell there(above.box(above.cell_at(axis, 1)), edge);
    set_exact_solution(edge, here);
    set_exact_solution(edge, there);
    const Cell expected_here = here;
    const Cell expected_there = there;
    const auto clear = [](Cell& cell, Axis across, Side side) {
      for_each_point_beside(cell, across, side,
                            [&](std::size_t field, std::ptrdiff_t x, std::ptrdiff_t y,
                                std::ptrdiff_t z) { cell.line(field, y, z)[x] = 0; });
    };
    clear(here, axis, upper);
    clear(there, axis, lower);
    ASSERT_EQ(face_size(here, axis), face_size(there, axis));
    std::vector<double> face(face_size(here, axis));
    pack_face(here, axis, upper, face);
    unpack_face(face, axis, lower, there);
    pack_face(there, axis, lower, face);
    unpack_face(face, axis, upper, here);
    const auto check = [](const Cell& cell, const Cell& expected, Axis across, Side side) {
      for_each_point_beside(
          cell, across, side,
          [&](std::size_t field, std::ptrdiff_t x, std::ptrdiff_t y, std::ptrdiff_t z) {
            EXPECT_EQ(cell.line(field, y, z)[x], expected.line(field, y, z)[x]);
          });
    };
    check(here, expected_here, axis, upper);
    check(there, expected_there, axis, lower);
  }
}

}  // namespace
}  // namespace tasuki::npb::sp
