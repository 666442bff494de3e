// The two layers of the state that a cell hands to the next one.
//
// Only lines of the cell's interior go on in the next cell, and only these are sent. Called by the
// solver. Thread-safety: pure functions on their arguments.
#pragma once

#include <span>

#include "npb/sp/cell.hpp"

namespace tasuki::npb::sp {

/// How many numbers a face across the axis has.
std::size_t face_size(const Cell& cell, Axis axis) noexcept;

/// Copies the two outermost layers of the cell on that side to the begin of `face`.
void pack_face(const Cell& cell, Axis axis, Side side, std::span<double> face);
/// Copies the begin of `face` to the two layers beside the cell on that side.
void unpack_face(std::span<const double> face, Axis axis, Side side, Cell& cell);

}  // namespace tasuki::npb::sp
