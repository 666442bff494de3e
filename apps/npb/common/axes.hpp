// The axes of a grid of points in space, and boxes of such points.
//
// Called by MG and SP. Thread-safety: values.
#pragma once

#include <array>
#include <cstddef>

#include "common/partition.hpp"

namespace tasuki::npb {

inline constexpr std::size_t axis_count = 3;
inline constexpr std::size_t side_count = 2;

/// x varies fastest in memory, z slowest.
enum Axis : std::size_t { x_axis, y_axis, z_axis };
inline constexpr std::array<Axis, axis_count> all_axes{x_axis, y_axis, z_axis};

/// Towards smaller or larger coordinates.
enum Side : std::size_t { lower, upper };
inline constexpr std::array<Side, side_count> both_sides{lower, upper};

constexpr Side opposite(Side side) noexcept { return side == lower ? upper : lower; }

using Box = std::array<apps::Range, axis_count>;

}  // namespace tasuki::npb
