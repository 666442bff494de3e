#include "demo/lu/substitution.hpp"

#include <algorithm>
#include <span>
#include <tasuki/tasuki.hpp>

namespace tasuki::demo {

bool Substitution::is_singular() const {
  int zeros_count = 0;
  for (int local = 0; local < factors_.columns; ++local) {
    zeros_count += *factors_.at(layout_.column_of(rank_, local), local) == 0;
  }
  return allreduce(zeros_count, Sum()) > 0;
}

void Substitution::solve(lu::Matrix b) {
  const int n = layout_.n();
  for (int index = 0; index < layout_.block_count(); ++index) {
    const int row = layout_.begin(index);
    const int end = layout_.begin(index + 1);
    if (is_mine(index)) {
      const lu::Matrix mine = b.part(row, 0, end - row, b.columns);
      lu::solve_unit_lower(columns(index, row, end - row), mine);
      lu::subtract_product(columns(index, end, n - end), mine, b.part(end, 0, n - end, b.columns));
    }
    share(index, b.part(row, 0, n - row, b.columns));
  }
  for (int index = layout_.block_count() - 1; index >= 0; --index) {
    const int row = layout_.begin(index);
    const int end = layout_.begin(index + 1);
    if (is_mine(index)) {
      const lu::Matrix mine = b.part(row, 0, end - row, b.columns);
      lu::solve_upper(columns(index, row, end - row), mine);
      lu::subtract_product(columns(index, 0, row), mine, b.part(0, 0, row, b.columns));
    }
    share(index, b.part(0, 0, end, b.columns));
  }
}

void Substitution::share(int index, lu::Matrix part) {
  const auto rows = static_cast<std::size_t>(part.rows);
  shared_.resize(rows * static_cast<std::size_t>(part.columns));
  const auto copy_of = [&](int column) {
    return std::span(shared_).subspan(static_cast<std::size_t>(column) * rows, rows);
  };
  for (int column = 0; column < part.columns && is_mine(index); ++column) {
    std::copy_n(part.at(0, column), rows, copy_of(column).begin());
  }
  broadcast(std::span(shared_), layout_.owner(index));
  for (int column = 0; column < part.columns && !is_mine(index); ++column) {
    std::ranges::copy(copy_of(column), part.at(0, column));
  }
}

}  // namespace tasuki::demo
