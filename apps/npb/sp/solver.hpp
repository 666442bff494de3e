// NPB SP on one rank: steps of an implicit scheme, factored into sweeps along the three axes.
//
// Algorithm: Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, 1994, section 3.4. All
// communication goes through an Exchange; the solver never knows which. Thread-safety: one per
// rank; its calls are collective over the ranks of the exchange.
#pragma once

#include <cmath>
#include <vector>

#include "npb/sp/exact_solution.hpp"
#include "npb/sp/exchange.hpp"
#include "npb/sp/faces.hpp"
#include "npb/sp/line_solver.hpp"
#include "npb/sp/right_side.hpp"

namespace tasuki::npb::sp {

template <Exchange E>
class Solver {
 public:
  Solver(const Problem& problem, const Layout& layout, E& exchange)
      : scheme_(problem),
        layout_(layout),
        exchange_(exchange),
        cells_(cells_of(layout)),
        line_solver_(scheme_, layout, cells_, exchange) {
    for (Cell& cell : cells_) {
      set_exact_solution(problem.edge, cell);
      right_sides_.emplace_back(scheme_, cell).set_forcing(cell);
    }
    restart();
  }

  /// Starts again from the initial state.
  void restart() {
    for (Cell& cell : cells_) set_initial_state(scheme_.edge, cell);
  }

  /// Spoils the state at one point of each rank.
  void perturb() {
    Cell& cell = cells_.front();
    cell.line(state, cell.interior(y_axis).begin,
              cell.interior(z_axis).begin)[cell.interior(x_axis).begin] *= 1.5;
  }

  /// `count` steps in time.
  void advance(int count) {
    for (int step = 0; step < count; ++step) {
      find_right_side();
      for (const Axis axis : all_axes) line_solver_.sweep(axis);
    }
  }

  /// By component, the root of the mean square of the distance from the exact solution. Collective.
  Components error() {
    Components sums{};
    for (const Cell& cell : cells_) add(squared_error(scheme_.edge, cell), sums);
    return norm_of(sums);
  }

  /// By component, the root of the mean square of the right side. Collective.
  Components residual() {
    find_right_side();
    Components sums{};
    for (const Cell& cell : cells_) add(squared_right_side(cell), sums);
    Components norms = norm_of(sums);
    for (double& norm : norms) norm /= scheme_.step_size;
    return norms;
  }

 private:
  static std::vector<Cell> cells_of(const Layout& layout) {
    std::vector<Cell> cells;
    for (int number = 0; number < layout.cells(); ++number)
      cells.emplace_back(layout.box(number), layout.edge());
    return cells;
  }

  void find_right_side() {
    swap_faces();
    for (std::size_t number = 0; number < cells_.size(); ++number)
      right_sides_[number].find(cells_[number]);
  }

  Cell& cell_at(Axis axis, int stage) {
    return cells_[static_cast<std::size_t>(layout_.cell_at(axis, stage))];
  }

  /// The faces between layers of cells across the axis, in the order of the layers.
  void swap_faces() {
    if (layout_.cells() == 1) return;
    FaceSizes sizes{};
    for (const Axis axis : all_axes)
      for (const Side side : both_sides)
        for (int stage = 0; stage + 1 < layout_.cells(); ++stage) {
          const Cell& cell = cell_at(axis, side == upper ? stage : stage + 1);
          std::size_t& size = sizes[axis][side];
          pack_face(cell, axis, side, exchange_.face_outbox(axis, side).subspan(size));
          size += face_size(cell, axis);
        }
    exchange_.swap_faces(sizes);
    for (const Axis axis : all_axes)
      for (const Side side : both_sides) {
        std::size_t taken = 0;
        for (int stage = 0; stage + 1 < layout_.cells(); ++stage) {
          Cell& cell = cell_at(axis, side == upper ? stage : stage + 1);
          unpack_face(exchange_.face_inbox(axis, side).subspan(taken), axis, side, cell);
          taken += face_size(cell, axis);
        }
      }
  }

  Components norm_of(Components sums) {
    exchange_.sum(sums);
    const auto inside = static_cast<double>(scheme_.edge - 2);
    for (double& sum : sums) sum = std::sqrt(sum / (inside * inside * inside));
    return sums;
  }

  static void add(const Components& part, Components& sums) {
    for (std::size_t m = 0; m < component_count; ++m) sums[m] += part[m];
  }

  Scheme scheme_;
  Layout layout_;
  E& exchange_;
  std::vector<Cell> cells_;
  std::vector<RightSide> right_sides_;
  LineSolver<E> line_solver_;
};

}  // namespace tasuki::npb::sp
