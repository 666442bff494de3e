// The changes of basis between sweeps: changes of the state as sums of waves along an axis.
//
// The systems of a sweep are those of single waves. Between the sweeps along two axes the bases are
// changed directly (Pulliam, Chaussee, A diagonal form of an implicit approximate-factorization
// algorithm, J. Computational Physics 39, 1981). Called by the sweeps. Thread-safety: pure
// functions on their arguments.
#pragma once

#include "npb/sp/cell.hpp"
#include "npb/sp/scheme.hpp"

namespace tasuki::npb::sp {

/// By component or by wave.
using Arrays = std::array<double*, component_count>;

/// The waves along x of the right side, at the line's interior points; elements count as the
/// line's.
void find_x_waves(const Cell& cell, std::ptrdiff_t y, std::ptrdiff_t z, const Arrays& waves);

/// From waves along x to waves along y, in place.
void turn_x_to_y(const Arrays& waves, std::size_t count);

/// From waves along y to waves along z; `turned` may be `waves`.
void turn_y_to_z(const Arrays& waves, std::size_t count, const Arrays& turned);

/// Adds the change that `waves` along z make to `count` points of the state from x on.
void add_z_waves(const Arrays& waves, std::size_t count, std::ptrdiff_t x, std::ptrdiff_t y,
                 std::ptrdiff_t z, Cell& cell);

}  // namespace tasuki::npb::sp
