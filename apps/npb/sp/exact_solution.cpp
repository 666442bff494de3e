#include "npb/sp/exact_solution.hpp"

namespace tasuki::npb::sp {
namespace {

constexpr std::size_t coefficient_count = 13;

/// Of each component: the constant, then those of x, y and z, of their squares, and so on.
constexpr std::array<std::array<double, coefficient_count>, component_count> coefficients{{
    {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
    {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
    {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
    {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
    {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2},
}};

/// Calls visit(x, y, z, their places in the unit cube) for the points of the spans.
template <class Visit>
void for_each_point(const Cell& cell, std::int64_t edge, std::ptrdiff_t layers, Visit visit) {
  const double distance = 1 / static_cast<double>(edge - 1);
  const Box& box = cell.box();
  const auto place = [&](Axis axis, std::ptrdiff_t at) {
    return static_cast<double>(box[axis].begin + at) * distance;
  };
  for (std::ptrdiff_t z = -layers; z < box[z_axis].size() + layers; ++z)
    for (std::ptrdiff_t y = -layers; y < box[y_axis].size() + layers; ++y)
      for (std::ptrdiff_t x = -layers; x < box[x_axis].size() + layers; ++x)
        visit(std::array{x, y, z},
              std::array{place(x_axis, x), place(y_axis, y), place(z_axis, z)});
}

using Point = std::array<std::ptrdiff_t, axis_count>;
using Place = std::array<double, axis_count>;

bool is_on_boundary(const Cell& cell, const Point& at) {
  for (const Axis axis : all_axes) {
    const Span inside = cell.interior(axis);
    if (at[axis] < inside.begin || at[axis] >= inside.end) return true;
  }
  return false;
}

/// The values at the ends of the lines along the axes through the place, mixed.
Components mixed_solution(const Place& place) {
  std::array<Components, axis_count> along;
  for (const Axis axis : all_axes) {
    Place end = place;
    end[axis] = 0;
    const Components low = exact_solution(end[x_axis], end[y_axis], end[z_axis]);
    end[axis] = 1;
    const Components high = exact_solution(end[x_axis], end[y_axis], end[z_axis]);
    for (std::size_t m = 0; m < component_count; ++m)
      along[axis][m] = place[axis] * high[m] + (1 - place[axis]) * low[m];
  }
  Components mixed;
  for (std::size_t m = 0; m < component_count; ++m) {
    const double x = along[x_axis][m];
    const double y = along[y_axis][m];
    const double z = along[z_axis][m];
    mixed[m] = x + y + z - x * y - x * z - y * z + x * y * z;
  }
  return mixed;
}

void set_state(const Point& at, const Components& values, Cell& cell) {
  for (std::size_t m = 0; m < component_count; ++m)
    cell.line(state + m, at[y_axis], at[z_axis])[at[x_axis]] = values[m];
}

}  // namespace

Components exact_solution(double x, double y, double z) noexcept {
  Components values;
  for (std::size_t m = 0; m < component_count; ++m) {
    const auto& c = coefficients[m];
    values[m] = c[0] + x * (c[1] + x * (c[4] + x * (c[7] + x * c[10]))) +
                y * (c[2] + y * (c[5] + y * (c[8] + y * c[11]))) +
                z * (c[3] + z * (c[6] + z * (c[9] + z * c[12])));
  }
  return values;
}

void set_exact_solution(std::int64_t edge, Cell& cell) {
  for_each_point(cell, edge, 2, [&](const Point& at, const Place& place) {
    set_state(at, exact_solution(place[x_axis], place[y_axis], place[z_axis]), cell);
  });
}

void set_initial_state(std::int64_t edge, Cell& cell) {
  for_each_point(cell, edge, 0, [&](const Point& at, const Place& place) {
    const bool is_exact = is_on_boundary(cell, at);
    set_state(at,
              is_exact ? exact_solution(place[x_axis], place[y_axis], place[z_axis])
                       : mixed_solution(place),
              cell);
  });
}

Components squared_error(std::int64_t edge, const Cell& cell) {
  Components sums{};
  for_each_point(cell, edge, 0, [&](const Point& at, const Place& place) {
    const Components exact = exact_solution(place[x_axis], place[y_axis], place[z_axis]);
    for (std::size_t m = 0; m < component_count; ++m) {
      const double error = cell.line(state + m, at[y_axis], at[z_axis])[at[x_axis]] - exact[m];
      sums[m] += error * error;
    }
  });
  return sums;
}

}  // namespace tasuki::npb::sp
