// The array descriptor of ScaLAPACK for a layout.
//
// Called by who hands a rank's block to ScaLAPACK. Thread-safety: pure functions.
#pragma once

#include <array>
#include <tasuki/detail/layout/array_layout.hpp>

namespace tasuki::layout {

/// DTYPE_, CTXT_, M_, N_, MB_, NB_, RSRC_, CSRC_, LLD_ of a dense matrix.
using ScalapackDescriptor = std::array<int, 9>;

/// Returns: the descriptor for the rank's block, whose first process is (0, 0). The context is that
/// of a grid of the same extents and order, as BLACS_GRIDINIT made it: 'Row' for row-major order.
/// Throws tasuki::error if the array is no column-major matrix on a grid of two dimensions, there
/// is no such rank, or a number is beyond int.
///     const ArrayLayout matrix({Axis(1000, BlockCyclic{64}, 2), Axis(500, BlockCyclic{64}, 3)},
///                              Grid({2, 3}), sizeof(double), Order::column_major);
///     descriptor_of(matrix, rank, context);  // on rank 0 {1, context, 1000, 500, 64, 64, 0, 0,
///     512}
ScalapackDescriptor descriptor_of(const ArrayLayout& matrix, int rank, int context);

}  // namespace tasuki::layout
