// LU factorisation and solution of equations: the routines of python/tasuki/data/demo/lu.idl.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "demo/lu/substitution.hpp"
#include "demo/served.hpp"
#include "lu/factorisation.hpp"
#include "lu/tasuki_exchange.hpp"

namespace tasuki::demo {
namespace {

/// Columns that go to a rank at a time: of the interface.
constexpr int block_columns = 64;

/// to(j, i) = from(i, j). Requires: equal extents. The rows of `from` are the columns of `to` as
/// LU has them, by tiles that stay in the cache.
void transpose(lu::Matrix from, lu::Matrix to) {
  constexpr int tile = 32;
  for (int row = 0; row < from.rows; row += tile) {
    for (int column = 0; column < from.columns; column += tile) {
      for (int j = column; j < std::min(column + tile, from.columns); ++j) {
        for (int i = row; i < std::min(row + tile, from.rows); ++i) *to.at(j, i) = *from.at(i, j);
      }
    }
  }
}

/// An array in C's order as LU sees it: each row is a column.
lu::Matrix by_rows(const double* data, int rows, int columns) {
  return {const_cast<double*>(data), columns, rows, std::max(columns, 1)};
}

lu::Layout layout_of(int n) { return {n, block_columns, size()}; }

std::vector<int> row_exchanges(const lu::Layout& layout, std::span<const int> pivots) {
  std::vector<int> rows;
  for (int row = 0; row < layout.n(); ++row) {
    const int first = row / layout.block() * layout.block();
    rows.push_back(first + pivots[static_cast<std::size_t>(row)] - 1);
  }
  return rows;
}

/// Throws on all ranks if the matrix of these factors is singular.
void require_regular(const Substitution& factors) {
  if (factors.is_singular()) throw std::runtime_error("the matrix is singular");
}

/// X in C's order of L U X = P B, which is in C's order, too.
void substitute(Substitution& factors, int n, std::span<const int> exchanged,
                std::span<const double> b, std::span<double> x) {
  require_regular(factors);
  const int r = static_cast<int>(b.size() / static_cast<std::size_t>(n));
  std::vector<double> columns(b.size());
  const lu::Matrix all{columns.data(), n, r, n};
  transpose(by_rows(b.data(), n, r), all);
  for (int row = 0; row < n; ++row) {
    const int other = exchanged[static_cast<std::size_t>(row)];
    if (other < row || other >= n) throw std::runtime_error("pivots are not those of a factor");
    for (int column = 0; column < r && other != row; ++column) {
      std::swap(*all.at(row, column), *all.at(other, column));
    }
  }
  factors.solve(all);
  if (rank() == 0) transpose(all, by_rows(x.data(), n, r));
}

/// factor(n, A, LU, pivots)
void factor(const Arguments& arguments) {
  const int n = arguments.scalar<int>(0);
  if (n == 0) return;
  const lu::Layout layout = layout_of(n);
  lu::TasukiExchange exchange(layout, false);
  lu::Factorisation factorisation(layout, rank(), exchange);
  const lu::Matrix columns = factorisation.columns();
  transpose(by_rows(arguments.block<const double>(1).data(), n, columns.columns), columns);
  factorisation.factor_all();
  require_regular(Substitution(layout, rank(), columns));
  transpose(columns, by_rows(arguments.block<double>(2).data(), n, columns.columns));
  std::ranges::copy(row_exchanges(layout, factorisation.pivots()), arguments.block<int>(3).begin());
  barrier();  // Nobody frees what others still write to.
}

/// substitute(n, r, LU, pivots, B, X)
void substitute(const Arguments& arguments) {
  const int n = arguments.scalar<int>(0);
  if (n == 0 || arguments.scalar<int>(1) == 0) return;
  const lu::Layout layout = layout_of(n);
  const std::span<const double> block = arguments.block<const double>(2);
  std::vector<double> memory(block.size());
  const lu::Matrix columns{memory.data(), n, layout.local_columns(rank()), n};
  transpose(by_rows(block.data(), n, columns.columns), columns);
  Substitution factors(layout, rank(), columns);
  substitute(factors, n, arguments.block<const int>(3), arguments.block<const double>(4),
             arguments.block<double>(5));
}

/// solve(n, r, A, B, X)
void solve(const Arguments& arguments) {
  const int n = arguments.scalar<int>(0);
  if (n == 0 || arguments.scalar<int>(1) == 0) return;
  const lu::Layout layout = layout_of(n);
  lu::TasukiExchange exchange(layout, false);
  lu::Factorisation factorisation(layout, rank(), exchange);
  const lu::Matrix columns = factorisation.columns();
  transpose(by_rows(arguments.block<const double>(2).data(), n, columns.columns), columns);
  factorisation.factor_all();
  Substitution factors(layout, rank(), columns);
  substitute(factors, n, row_exchanges(layout, factorisation.pivots()),
             arguments.block<const double>(3), arguments.block<double>(4));
  barrier();
}

constexpr std::array<tasuki_routine, 3> routines = {
    {{"factor", served<factor>}, {"substitute", served<substitute>}, {"solve", served<solve>}}};

}  // namespace
}  // namespace tasuki::demo

int main(int argc, char** argv) {
  tasuki::lu::use_one_thread();
  return tasuki::demo::serve_routines(argc, argv, tasuki::demo::routines);
}
