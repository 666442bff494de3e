// The communication of NPB SP: what the solver asks of Tasuki, of MPI, or of a test.
//
// Called by the solver. Thread-safety: one object per rank; all calls but those for the boxes are
// collective.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include "npb/common/sums.hpp"
#include "npb/sp/elimination.hpp"
#include "npb/sp/layout.hpp"

namespace tasuki::npb::sp {

/// How many numbers go to the neighbours on both sides along each axis.
using FaceSizes = std::array<std::array<std::size_t, side_count>, axis_count>;

template <class E>
concept Exchange = Sums<E> && requires(E exchange, Axis axis, Side side, const FaceSizes& sizes,
                                       int stage, std::size_t count) {
  /// Where faces for the neighbour on this side are put before `swap_faces`.
  { exchange.face_outbox(axis, side) } -> std::same_as<std::span<double>>;
  /// Sends the first numbers of all outboxes, as many as `sizes` says, and gets the neighbours'.
  exchange.swap_faces(sizes);
  /// What came from the neighbour on this side, valid until the next sweep along the axis.
  { exchange.face_inbox(axis, side) } -> std::same_as<std::span<const double>>;

  /// A sweep along the axis begins: upwards stage by stage, then down again.
  exchange.begin_sweep(axis);
  /// What the neighbour has passed on towards this side for this stage.
  { exchange.taken(side, stage) } -> std::same_as<std::span<const double>>;
  /// Where this rank puts what it passes on towards this side.
  { exchange.passing(side) } -> std::same_as<std::span<double>>;
  /// Passes the first `count` numbers of it on for this stage of the neighbour.
  exchange.pass(side, stage, count);
};

/// The most numbers that go to one neighbour with the faces ...
inline std::size_t most_face_numbers(const Layout& layout) noexcept {
  const auto points = static_cast<std::size_t>(layout.most_points());
  return static_cast<std::size_t>(layout.cells() - 1) * 2 * component_count * points * points;
}
/// ... and in a stage of a sweep.
inline std::size_t most_passed_numbers(const Layout& layout) noexcept {
  const auto points = static_cast<std::size_t>(layout.most_points());
  return numbers_up * points * points;
}

}  // namespace tasuki::npb::sp
