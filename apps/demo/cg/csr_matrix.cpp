#include "demo/cg/csr_matrix.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace tasuki::demo {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

}  // namespace

void CsrMatrix::check() const {
  if (begins.front() != 0 || begins.back() != std::ssize(values)) {
    throw std::runtime_error(fmt::format("begins go from {} to {}, and there are {} values",
                                         begins.front(), begins.back(), values.size()));
  }
  for (std::int64_t row = 0; row < rows(); ++row) {
    if (begins[at(row)] > begins[at(row + 1)]) {
      throw std::runtime_error(fmt::format("begins[{}] is greater than the one behind it", row));
    }
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k] < 0 || columns[k] >= rows()) {
      throw std::runtime_error(fmt::format("columns[{}] = {} is no column of a matrix of {} rows",
                                           k, columns[k], rows()));
    }
  }
}

npb::cg::SparseMatrix block_of(const CsrMatrix& matrix, const npb::cg::Layout& layout) {
  const std::vector<std::int32_t> numbers = layout.column_numbers();
  npb::cg::SparseMatrix block;
  const auto add = [&](std::int64_t column, double value) {
    const std::int32_t number = numbers[at(column)];
    if (number < 0) return;
    block.columns.push_back(number);
    block.values.push_back(value);
  };
  block.row_begins.push_back(0);
  for (std::int64_t row = layout.rows().begin; row < layout.rows().end; ++row) {
    if (row >= matrix.rows()) {
      add(row, 1);
    } else {
      for (std::int64_t k = matrix.begins[at(row)]; k < matrix.begins[at(row + 1)]; ++k) {
        add(matrix.columns[at(k)], matrix.values[at(k)]);
      }
    }
    block.row_begins.push_back(std::ssize(block.values));
  }
  return block;
}

}  // namespace tasuki::demo
