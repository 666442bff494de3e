#include "npb/mg/halo.hpp"

#include <algorithm>

namespace tasuki::npb::mg {
namespace {

/// Calls visit(first, count) for the points of a face that are consecutive in memory: with the
/// layer along the axes before this one, without it along those after.
template <class AnyGrid, class Visit>
void for_each_run(AnyGrid& grid, Axis axis, std::size_t at, Visit visit) {
  const std::size_t x_extent = grid.extent(x_axis);
  const std::size_t y_extent = grid.extent(y_axis);
  const std::size_t z_last = grid.extent(z_axis) - 1;
  if (axis == z_axis) {
    visit(grid.line(0, at), x_extent * y_extent);
  } else if (axis == y_axis) {
    for (std::size_t z = 1; z < z_last; ++z) visit(grid.line(at, z), x_extent);
  } else {
    for (std::size_t z = 1; z < z_last; ++z)
      for (std::size_t y = 1; y + 1 < y_extent; ++y) visit(grid.line(y, z) + at, 1);
  }
}

void copy_face(Grid& grid, Axis axis, std::size_t from, std::size_t to) {
  const auto way = (static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from)) *
                   static_cast<std::ptrdiff_t>(grid.stride(axis));
  for_each_run(grid, axis, from,
               [&](double* run, std::size_t count) { std::copy_n(run, count, run + way); });
}

}  // namespace

std::size_t pack_face(const Grid& grid, Axis axis, std::size_t at, std::span<double> face) {
  double* next = face.data();
  for_each_run(grid, axis, at,
               [&](const double* run, std::size_t count) { next = std::copy_n(run, count, next); });
  return static_cast<std::size_t>(next - face.data());
}

void unpack_face(std::span<const double> face, Axis axis, std::size_t at, Grid& grid) {
  const double* next = face.data();
  for_each_run(grid, axis, at, [&](double* run, std::size_t count) {
    std::copy_n(next, count, run);
    next += count;
  });
}

void wrap_around(Axis axis, Grid& grid) {
  const std::size_t last = grid.extent(axis) - 1;
  copy_face(grid, axis, last - 1, 0);
  copy_face(grid, axis, 1, last);
}

}  // namespace tasuki::npb::mg
