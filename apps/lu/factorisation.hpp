// LU factorisation with partial pivoting on one rank: right-looking, with look-ahead: the owner of
// the next panel brings that up to date first, factors it and sends it, while all others still
// update the rest of the matrix.
//
// Algorithm: Dongarra, Luszczek, Petitet, The LINPACK Benchmark: past, present and future (2003),
// section 4, with blocks of columns going round the ranks and a look-ahead of one panel. All
// communication goes through an Exchange. Thread-safety: one per rank; its calls are collective.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <vector>

#include "common/huge_array.hpp"
#include "lu/generator.hpp"
#include "lu/panel.hpp"

namespace tasuki::lu {

/// The communication of LU. Panels go in ascending order, each once; all ranks treat each of them.
template <class E>
concept Exchange = requires(E exchange, int index, std::span<double> values) {
  /// Memory to pack panel `index` into, on its owner.
  { exchange.room(index) } -> std::same_as<std::span<double>>;
  /// The owner has packed it: starts sending it to all.
  exchange.send(index);
  /// All but the owner: panel `index` will come next.
  exchange.expect(index);
  /// Waits for panel `index`. Returns: what its owner packed.
  { exchange.receive(index) } -> std::same_as<std::span<const double>>;
  /// This rank needs panel `index` no more.
  exchange.release(index);
  /// Lets communication proceed during long computations.
  exchange.progress();
  /// Sums over all ranks, in place.
  exchange.sum(values);
};

template <Exchange E>
class Factorisation {
 public:
  Factorisation(const Layout& layout, int rank, E& exchange)
      : layout_(layout),
        rank_(rank),
        exchange_(exchange),
        memory_(static_cast<std::size_t>(layout.n()) *
                static_cast<std::size_t>(layout.local_columns(rank))),
        pivots_(static_cast<std::size_t>(layout.n())) {}

  /// Makes the matrix anew.
  void generate() { generate_columns(layout_, rank_, {}, columns()); }

  /// P A = L U in place.
  void factor_all() {
    if (is_mine(0)) factor_and_send(0);
    for (int index = 0; index < layout_.block_count(); ++index) {
      if (!is_mine(index)) exchange_.expect(index);
      const Panel panel(layout_, index, exchange_.receive(index));
      keep_pivots(panel, index);
      const int next = index + 1;
      if (next < layout_.block_count() && is_mine(next)) {
        update(panel, index, next, next + 1);
        factor_and_send(next);
        update(panel, index, next + 1, layout_.block_count());
      } else {
        update(panel, index, next, layout_.block_count());
      }
      exchange_.release(index);
    }
    exchange_rows_on_the_left();
  }

  /// This rank's columns: of the matrix, and after factor_all of L and U.
  Matrix columns() noexcept { return columns(0, layout_.block_count()); }
  /// After factor_all, for each block: the rows that its rows were exchanged with, counted from 1
  /// at its first one.
  std::span<const int> pivots() const noexcept { return pivots_; }

  /// Spoils one of all elements.
  void perturb() {
    if (is_mine(0)) memory_[0] += 1;
  }

  /// ||P A - L U|| / (n ||A|| eps) in the infinity norm, as HPL would have it small. Uses panels
  /// of the exchange anew, numbered from 0.
  double residual();

 private:
  /// Columns that are updated between two polls of the network.
  static constexpr int columns_at_once = 256;

  bool is_mine(int index) const noexcept { return layout_.owner(index) == rank_; }

  /// This rank's columns of the blocks from `first` up to, not including, `last`.
  Matrix columns(int first, int last) noexcept { return columns_of(memory_, first, last); }
  Matrix columns_of(apps::HugeArray<double>& memory, int first, int last) const noexcept {
    const int begin = layout_.local_begin(rank_, first);
    const Matrix all{memory.data(), layout_.n(), layout_.local_columns(rank_), layout_.n()};
    return all.part(0, begin, all.rows, layout_.local_begin(rank_, last) - begin);
  }
  std::span<int> pivots(int index) noexcept {
    return std::span(pivots_).subspan(static_cast<std::size_t>(layout_.begin(index)),
                                      static_cast<std::size_t>(layout_.width(index)));
  }
  static void copy(const Matrix& from, const Matrix& to) {
    for (int column = 0; column < from.columns; ++column)
      std::copy_n(from.at(0, column), from.rows, to.at(0, column));
  }

  void factor_and_send(int index) {
    const int row = layout_.begin(index);
    const Matrix block = columns(index, index + 1);
    const Matrix mine = block.part(row, 0, block.rows - row, block.columns);
    Panel panel(layout_, index, exchange_.room(index));
    copy(mine, panel.columns());
    factor(panel.columns(), pivots(index));
    for (int column = 0; column < panel.width(); ++column)
      panel.set_pivot(column, pivots(index)[static_cast<std::size_t>(column)]);
    exchange_.send(index);
    copy(panel.columns(), mine);
  }

  void keep_pivots(const Panel& panel, int index) {
    for (int column = 0; column < panel.width(); ++column)
      pivots(index)[static_cast<std::size_t>(column)] = panel.pivot(column);
  }

  /// Applies panel `index` to this rank's blocks [first, last).
  void update(const Panel& panel, int index, int first, int last) {
    const Matrix all = columns(first, last);
    const int row = layout_.begin(index);
    for (int begin = 0; begin < all.columns; begin += columns_at_once) {
      const int width = std::min(columns_at_once, all.columns - begin);
      const Matrix part = all.part(row, begin, all.rows - row, width);
      exchange_rows(part, pivots(index));
      const Matrix upper = part.part(0, 0, panel.width(), width);
      solve_unit_lower(panel.triangle(), upper);
      subtract_product(panel.below(), upper,
                       part.part(panel.width(), 0, part.rows - panel.width(), width));
      exchange_.progress();
    }
  }

  /// What later panels exchanged, in the blocks before them.
  void exchange_rows_on_the_left() {
    for (int index = 1; index < layout_.block_count(); ++index) {
      const Matrix left = columns(0, index);
      const int row = layout_.begin(index);
      exchange_rows(left.part(row, 0, left.rows - row, left.columns), pivots(index));
    }
  }

  void subtract_panel(const Panel& panel, int index, const Matrix& rest);
  double norm(const Matrix& part);

  Layout layout_;
  int rank_;
  E& exchange_;
  apps::HugeArray<double> memory_;  ///< This rank's columns, then of L and U.
  std::vector<int> pivots_;
};

template <Exchange E>
double Factorisation<E>::residual() {
  apps::HugeArray<double> memory(memory_.size());
  const Matrix rest = columns_of(memory, 0, layout_.block_count());
  generate_columns(layout_, rank_, {}, rest);
  const double norm_of_a = norm(rest);
  generate_columns(layout_, rank_, permutation(layout_, pivots_), rest);
  for (int index = 0; index < layout_.block_count(); ++index) {
    if (is_mine(index)) {
      Panel panel(layout_, index, exchange_.room(index));
      const Matrix block = columns(index, index + 1);
      const int row = layout_.begin(index);
      copy(block.part(row, 0, block.rows - row, block.columns), panel.columns());
      exchange_.send(index);
    } else {
      exchange_.expect(index);
    }
    subtract_panel(Panel(layout_, index, exchange_.receive(index)), index, rest);
    exchange_.release(index);
  }
  return norm(rest) / (layout_.n() * norm_of_a * std::numeric_limits<double>::epsilon());
}

/// rest -= (columns of L) (rows of U) of block `index`.
template <Exchange E>
void Factorisation<E>::subtract_panel(const Panel& panel, int index, const Matrix& rest) {
  const int width = panel.width();
  const int row = layout_.begin(index);
  apps::HugeArray<double> lower_memory(static_cast<std::size_t>(width) *
                                       static_cast<std::size_t>(panel.columns().rows));
  const Matrix lower{lower_memory.data(), panel.columns().rows, width, panel.columns().rows};
  copy(panel.columns(), lower);
  for (int column = 0; column < width; ++column) {
    std::fill_n(lower.at(0, column), column, 0.0);
    *lower.at(column, column) = 1;
  }
  const int begin = layout_.local_begin(rank_, index);
  const Matrix from = columns(index, layout_.block_count());
  apps::HugeArray<double> upper_memory(static_cast<std::size_t>(width) *
                                       static_cast<std::size_t>(from.columns));
  const Matrix upper{upper_memory.data(), width, from.columns, width};
  copy(from.part(row, 0, width, from.columns), upper);
  if (is_mine(index))
    for (int column = 0; column < width; ++column)
      std::fill_n(upper.at(column + 1, column), width - column - 1, 0.0);
  subtract_product(lower, upper, rest.part(row, begin, rest.rows - row, from.columns));
}

/// The largest sum of absolute values of a row of the whole matrix. Collective.
template <Exchange E>
double Factorisation<E>::norm(const Matrix& part) {
  std::vector<double> sums(static_cast<std::size_t>(part.rows));
  for (int column = 0; column < part.columns; ++column)
    for (int row = 0; row < part.rows; ++row)
      sums[static_cast<std::size_t>(row)] += std::abs(*part.at(row, column));
  exchange_.sum(sums);
  double most = 0;
  for (const double sum : sums) {
    if (std::isnan(sum)) return sum;
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace tasuki::lu
