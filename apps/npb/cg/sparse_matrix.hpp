// A block of a sparse matrix, row by row, and its product with a vector.
//
// Filled by `generate` (matrix_generator.hpp), used by the solver. Thread-safety: const calls.
#pragma once

#include <cstdint>
#include <span>

#include "common/huge_array.hpp"

namespace tasuki::npb::cg {

struct SparseMatrix {
  apps::HugeArray<std::int64_t> row_begins;  ///< Where each row starts below; rows + 1.
  apps::HugeArray<std::int32_t> columns;     ///< Ascending within a row.
  apps::HugeArray<double> values;

  std::int64_t rows() const noexcept { return static_cast<std::int64_t>(row_begins.size()) - 1; }

  /// product = matrix * vector. Requires: `product` has as many elements as there are rows,
  /// `vector` as many as there are columns.
  void multiply(std::span<const double> vector, std::span<double> product) const noexcept;
};

}  // namespace tasuki::npb::cg
