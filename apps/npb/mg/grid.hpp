// One rank's box of a grid, with a layer of its neighbours' points around it.
//
// Thread-safety: a value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/huge_array.hpp"
#include "npb/mg/layout.hpp"

namespace tasuki::npb::mg {

class Grid {
 public:
  /// All zeros. `box` is without the layer around it.
  explicit Grid(const Box& box)
      : extents_{extent_of(box[x_axis]), extent_of(box[y_axis]), extent_of(box[z_axis])},
        values_(extents_[x_axis] * extents_[y_axis] * extents_[z_axis], 0.0) {}

  /// Points along the axis, with the layer: points of the box have numbers 1 to extent - 2.
  std::size_t extent(Axis axis) const noexcept { return extents_[axis]; }
  /// From a point to the next along the axis, in memory.
  std::size_t stride(Axis axis) const noexcept {
    return axis == x_axis   ? 1
           : axis == y_axis ? extents_[x_axis]
                            : extents_[x_axis] * extents_[y_axis];
  }
  /// The points with these y and z, by x.
  double* line(std::size_t y, std::size_t z) noexcept { return values_.data() + begin(y, z); }
  const double* line(std::size_t y, std::size_t z) const noexcept {
    return values_.data() + begin(y, z);
  }

  void clear() noexcept { std::fill(values_.begin(), values_.end(), 0.0); }

 private:
  static std::size_t extent_of(apps::Range range) noexcept {
    return static_cast<std::size_t>(range.size()) + 2;
  }
  std::size_t begin(std::size_t y, std::size_t z) const noexcept {
    return (z * extents_[y_axis] + y) * extents_[x_axis];
  }

  std::array<std::size_t, axis_count> extents_;
  apps::HugeArray<double> values_;
};

}  // namespace tasuki::npb::mg
