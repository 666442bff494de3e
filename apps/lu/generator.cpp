#include "lu/generator.hpp"

#include <cstdint>
#include <numeric>
#include <utility>

#include "common/mixed.hpp"

namespace tasuki::lu {

void generate_columns(const Layout& layout, int rank, std::span<const int> rows, Matrix columns) {
  for (int local = 0; local < columns.columns; ++local) {
    const auto column = static_cast<std::uint64_t>(layout.column_of(rank, local));
    for (int row = 0; row < columns.rows; ++row) {
      const int from = rows.empty() ? row : rows[static_cast<std::size_t>(row)];
      const std::uint64_t bits = apps::mixed(column << 32 | static_cast<std::uint64_t>(from));
      *columns.at(row, local) = static_cast<double>(bits >> 11) * 0x1p-53 - 0.5;
    }
  }
}

std::vector<int> permutation(const Layout& layout, std::span<const int> pivots) {
  std::vector<int> rows(static_cast<std::size_t>(layout.n()));
  std::iota(rows.begin(), rows.end(), 0);
  for (int row = 0; row < layout.n(); ++row) {
    const int first = row / layout.block() * layout.block();
    const int other = first + pivots[static_cast<std::size_t>(row)] - 1;
    std::swap(rows[static_cast<std::size_t>(row)], rows[static_cast<std::size_t>(other)]);
  }
  return rows;
}

}  // namespace tasuki::lu
