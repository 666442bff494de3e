// A caller's sparse matrix by compressed rows: checked, and divided among the ranks of CG.
//
// Made from the arguments of a call, which are the same on all ranks. Thread-safety: pure functions
// of the arguments.
#pragma once

#include <cstdint>
#include <span>

#include "npb/cg/layout.hpp"
#include "npb/cg/sparse_matrix.hpp"

namespace tasuki::demo {

/// As scipy.sparse.csr_array has it: row i has the elements [begins[i], begins[i + 1]).
struct CsrMatrix {
  std::span<const std::int64_t> begins;
  std::span<const std::int32_t> columns;
  std::span<const double> values;

  std::int64_t rows() const noexcept { return static_cast<std::int64_t>(begins.size()) - 1; }
  /// Throws std::runtime_error that says what is wrong if it is no square matrix.
  void check() const;
};

/// This rank's block. Rows beyond the matrix's, of which there may be some so that each rank has
/// one, are those of the identity. Requires: check() has passed, layout.order() >= matrix.rows().
npb::cg::SparseMatrix block_of(const CsrMatrix& matrix, const npb::cg::Layout& layout);

}  // namespace tasuki::demo
