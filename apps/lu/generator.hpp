// The matrix: uniform in [-0.5, 0.5), as HPL's; each element a pure function of its place.
//
// Called by the factorisation and by the check of its result. Thread-safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "lu/blas.hpp"
#include "lu/layout.hpp"

namespace tasuki::lu {

/// Writes the columns of `rank` to `columns`; row i of it is row rows[i] of the matrix, or row i if
/// `rows` is empty.
void generate_columns(const Layout& layout, int rank, std::span<const int> rows, Matrix columns);

/// Which row of A is row i of P A. `pivots` are, for each block, counted from 1 at its first row.
std::vector<int> permutation(const Layout& layout, std::span<const int> pivots);

}  // namespace tasuki::lu
