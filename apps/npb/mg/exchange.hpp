// The communication of NPB MG: what the solver asks of Tasuki, of MPI, or of a test.
//
// Called by the solver and the halo. Thread-safety: one object per rank; all calls but those for
// the boxes are collective, `swap` among the ranks along its axis.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include "npb/common/sums.hpp"
#include "npb/mg/layout.hpp"

namespace tasuki::npb::mg {

template <class E>
concept Exchange = Sums<E> &&
    requires(E exchange, Axis axis, Side side, std::size_t count, std::span<const double> mine) {
  /// Where a face for the neighbour on this side is put before `swap`.
  { exchange.outbox(side) } -> std::same_as<std::span<double>>;
  /// Sends the first `count` elements of both outboxes to the neighbours along the axis, and gets
  /// as many from each.
  exchange.swap(axis, count);
  /// What the last `swap` got from the neighbour on this side, valid until the next one.
  { exchange.inbox(side) } -> std::same_as<std::span<const double>>;
  /// Everybody's elements, by rank. All ranks have as many.
  { exchange.gather(mine) } -> std::same_as<std::vector<double>>;
};

/// How much an exchange has to send at a time: the largest face along each axis.
inline std::array<std::size_t, axis_count> most_face_points(const Layout& layout) noexcept {
  std::array<std::size_t, axis_count> extents{};
  const Box box = layout.box(layout.finest_level());
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    extents[axis] = static_cast<std::size_t>(box[axis].size()) + 2;
  return {extents[y_axis] * extents[z_axis], extents[x_axis] * extents[z_axis],
          extents[x_axis] * extents[y_axis]};
}

}  // namespace tasuki::npb::mg
