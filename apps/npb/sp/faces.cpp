#include "npb/sp/faces.hpp"

#include <algorithm>

namespace tasuki::npb::sp {
namespace {

constexpr std::ptrdiff_t layers = 2;

/// Calls visit(first, count) for the pieces of lines of the state that are in these layers.
template <class AnyCell, class Visit>
void for_each_run(AnyCell& cell, Axis axis, Span across, Visit visit) {
  std::array<Span, axis_count> part;
  for (const Axis each : all_axes) part[each] = each == axis ? across : cell.interior(each);
  const auto count = static_cast<std::size_t>(part[x_axis].size());
  for (std::size_t m = 0; m < component_count; ++m)
    for (std::ptrdiff_t z = part[z_axis].begin; z < part[z_axis].end; ++z)
      for (std::ptrdiff_t y = part[y_axis].begin; y < part[y_axis].end; ++y)
        visit(cell.line(state + m, y, z) + part[x_axis].begin, count);
}

}  // namespace

std::size_t face_size(const Cell& cell, Axis axis) noexcept {
  std::ptrdiff_t size = layers * static_cast<std::ptrdiff_t>(component_count);
  for (const Axis each : all_axes)
    if (each != axis) size *= cell.interior(each).size();
  return static_cast<std::size_t>(size);
}

void pack_face(const Cell& cell, Axis axis, Side side, std::span<double> face) {
  const std::ptrdiff_t end = cell.points(axis).end;
  double* next = face.data();
  for_each_run(cell, axis, side == lower ? Span{0, layers} : Span{end - layers, end},
               [&](const double* run, std::size_t count) { next = std::copy_n(run, count, next); });
}

void unpack_face(std::span<const double> face, Axis axis, Side side, Cell& cell) {
  const std::ptrdiff_t end = cell.points(axis).end;
  const double* next = face.data();
  for_each_run(cell, axis, side == lower ? Span{-layers, 0} : Span{end, end + layers},
               [&](double* run, std::size_t count) {
                 std::copy_n(next, count, run);
                 next += count;
               });
}

}  // namespace tasuki::npb::sp
