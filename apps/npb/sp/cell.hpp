// One cell of the grid: the fields on its points, and on two layers of points around it.
//
// Thread-safety: a value.
#pragma once

#include <cstddef>

#include "common/huge_array.hpp"
#include "npb/common/axes.hpp"
#include "npb/sp/problem.hpp"

namespace tasuki::npb::sp {

/// Of the fields with several components this is the first; the others follow.
enum Field : std::size_t {
  state = 0,                               ///< What the equations are about.
  right_side = state + component_count,    ///< How much it changes in a step.
  forcing = right_side + component_count,  ///< What keeps the exact solution in place.
  inverse_density = forcing + component_count,
  velocity,
  pressure = velocity + axis_count,
  spread_energy,  ///< Whose second differences are the flow of heat and of kinetic energy.
  sound,          ///< Its speed.
  field_count
};

constexpr std::size_t velocity_along(Axis axis) noexcept { return std::size_t{velocity} + axis; }

/// The points with these numbers; a point of the cell counts from 0 along each axis.
struct Span {
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = 0;

  std::ptrdiff_t size() const noexcept { return end - begin; }
};

class Cell {
 public:
  /// All fields are 0. `edge` is the whole grid's.
  Cell(const Box& box, std::int64_t edge);

  /// The points with these y and z, by x. `component` counts from 0.
  double* line(std::size_t field, std::ptrdiff_t y, std::ptrdiff_t z) noexcept {
    return values_.data() + begin(field, y, z);
  }
  const double* line(std::size_t field, std::ptrdiff_t y, std::ptrdiff_t z) const noexcept {
    return values_.data() + begin(field, y, z);
  }
  /// From a point to the next along the axis, in memory.
  std::ptrdiff_t stride(Axis axis) const noexcept { return strides_[axis]; }

  const Box& box() const noexcept { return box_; }
  /// All points of the cell along the axis.
  Span points(Axis axis) const noexcept { return {0, box_[axis].size()}; }
  /// Those that are not on the boundary of the whole grid: only these change.
  Span interior(Axis axis) const noexcept { return interior_[axis]; }

 private:
  static constexpr std::ptrdiff_t layers = 2;

  std::size_t begin(std::size_t field, std::ptrdiff_t y, std::ptrdiff_t z) const noexcept {
    return field * field_size_ + static_cast<std::size_t>((z + layers) * strides_[z_axis] +
                                                          (y + layers) * strides_[y_axis] + layers);
  }

  Box box_;
  std::array<Span, axis_count> interior_;
  std::array<std::ptrdiff_t, axis_count> strides_;
  std::size_t field_size_;
  apps::HugeArray<double> values_;
};

/// Calls visit(y, z) for the lines of the cell's interior.
template <class Visit>
void for_each_line(const Cell& cell, Visit visit) {
  const Span z_range = cell.interior(z_axis);
  const Span y_range = cell.interior(y_axis);
  for (std::ptrdiff_t z = z_range.begin; z < z_range.end; ++z)
    for (std::ptrdiff_t y = y_range.begin; y < y_range.end; ++y) visit(y, z);
}

}  // namespace tasuki::npb::sp
