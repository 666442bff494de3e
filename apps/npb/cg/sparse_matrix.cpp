#include "npb/cg/sparse_matrix.hpp"

namespace tasuki::npb::cg {

void SparseMatrix::multiply(std::span<const double> vector,
                            std::span<double> product) const noexcept {
  const double* const x = vector.data();
  const std::int32_t* const column = columns.data();
  const double* const value = values.data();
  std::int64_t begin = 0;
  for (std::size_t row = 0; row < product.size(); ++row) {
    const std::int64_t end = row_begins[row + 1];
    double sum = 0;
    // Lets the compiler keep several partial sums; one alone waits for each addition to finish.
#pragma omp simd reduction(+ : sum)
    for (std::int64_t k = begin; k < end; ++k) sum += value[k] * x[column[k]];
    product[row] = sum;
    begin = end;
  }
}

}  // namespace tasuki::npb::cg
