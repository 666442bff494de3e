// The sweeps of NPB SP through all cells of a rank: lines are solved up and down, from cell to
// cell.
//
// In each stage a rank solves its part of the lines in one cell, and passes them on to the
// neighbour, which has the cell where they go on. Called by the solver. Thread-safety: one per
// rank; its calls are collective over the ranks of the exchange.
#pragma once

#include <algorithm>
#include <vector>

#include "npb/sp/exchange.hpp"
#include "npb/sp/sweep.hpp"

namespace tasuki::npb::sp {

template <Exchange E>
class LineSolver {
 public:
  /// `cells` are this rank's, and stay where they are.
  LineSolver(const Scheme& scheme, const Layout& layout, std::vector<Cell>& cells, E& exchange)
      : layout_(layout), last_(layout.cells() - 1), cells_(cells), exchange_(exchange) {
    std::size_t most_rows = 0;
    for (const Axis axis : all_axes)
      for (const Cell& cell : cells) {
        const Sweep& sweep = sweeps_[axis].emplace_back(scheme, axis, cell);
        most_rows = std::max(most_rows, sweep.rows());
        most_blocks_ = std::max(most_blocks_, sweep.blocks());
      }
    // One does for all blocks of the last stage, whose lines go up and down at once. Of the stages
    // before each block needs its own.
    eliminations_.assign(static_cast<std::size_t>(last_) * most_blocks_ + 1,
                         Elimination(most_rows));
  }

  /// Solves all systems along the axis.
  void sweep(Axis axis) {
    exchange_.begin_sweep(axis);
    for (int stage = 0; stage < last_; ++stage) go_up(axis, stage);
    turn(axis);
    for (int stage = last_ - 1; stage >= 0; --stage) go_down(axis, stage);
  }

 private:
  std::size_t cell_at(Axis axis, int stage) const {
    return static_cast<std::size_t>(layout_.cell_at(axis, stage));
  }

  Elimination& elimination(int stage, std::size_t block) {
    const std::size_t here = stage == last_ ? 0 : block;
    return eliminations_[static_cast<std::size_t>(stage) * most_blocks_ + here];
  }

  /// What lines go on from; the first stage needs nothing.
  std::span<const double> taken_up(int stage) {
    return stage > 0 ? exchange_.taken(upper, stage) : std::span<const double>();
  }

  /// The way up of a block, as far as this stage's cell. Returns: its elimination.
  Elimination& climb(Axis axis, int stage, std::size_t block, std::span<const double> taken) {
    const std::size_t number = cell_at(axis, stage);
    Sweep& sweep = sweeps_[axis][number];
    Elimination& lines = elimination(stage, block);
    if (stage == 0)
      lines.begin_lines();
    else
      lines.continue_lines(taken, sweep.lanes(block));
    sweep.eliminate(cells_[number], block, lines);
    return lines;
  }

  void go_up(Axis axis, int stage) {
    const Sweep& sweep = sweeps_[axis][cell_at(axis, stage)];
    const std::span<const double> taken = taken_up(stage);
    const std::span<double> passing = exchange_.passing(upper);
    std::size_t count = 0;
    for (std::size_t block = 0; block < sweep.blocks(); ++block) {
      climb(axis, stage, block, taken.subspan(stage > 0 ? count : 0))
          .hand_up(sweep.rows(), sweep.lanes(block), passing.subspan(count));
      count += sweep.lanes(block) * numbers_up;
    }
    exchange_.pass(upper, stage + 1, count);
  }

  /// In the last cells the lines end.
  void turn(Axis axis) {
    const std::size_t number = cell_at(axis, last_);
    Sweep& sweep = sweeps_[axis][number];
    const bool passes = last_ > 0;
    const std::span<const double> taken = taken_up(last_);
    const std::span<double> passing = passes ? exchange_.passing(lower) : std::span<double>();
    std::size_t lines_before = 0;
    for (std::size_t block = 0; block < sweep.blocks(); ++block) {
      Elimination& lines =
          climb(axis, last_, block, taken.subspan(passes ? lines_before * numbers_up : 0));
      lines.end_lines(sweep.rows());
      sweep.substitute(block, lines);
      if (passes) lines.hand_down(sweep.lanes(block), passing.subspan(lines_before * numbers_down));
      sweep.finish(cells_[number], block, lines);
      lines_before += sweep.lanes(block);
    }
    if (passes) exchange_.pass(lower, last_ - 1, lines_before * numbers_down);
  }

  void go_down(Axis axis, int stage) {
    const std::size_t number = cell_at(axis, stage);
    Sweep& sweep = sweeps_[axis][number];
    const std::span<const double> taken = exchange_.taken(lower, stage);
    const std::span<double> passing = stage > 0 ? exchange_.passing(lower) : std::span<double>();
    std::size_t lines_before = 0;
    for (std::size_t block = 0; block < sweep.blocks(); ++block) {
      Elimination& lines = elimination(stage, block);
      const std::size_t lanes = sweep.lanes(block);
      lines.take_solutions(taken.subspan(lines_before * numbers_down), sweep.rows(), lanes);
      sweep.substitute(block, lines);
      if (stage > 0) lines.hand_down(lanes, passing.subspan(lines_before * numbers_down));
      sweep.finish(cells_[number], block, lines);
      lines_before += lanes;
    }
    if (stage > 0) exchange_.pass(lower, stage - 1, lines_before * numbers_down);
  }

  Layout layout_;
  int last_;  ///< Stage.
  std::vector<Cell>& cells_;
  E& exchange_;
  std::array<std::vector<Sweep>, axis_count> sweeps_;  ///< By cell.
  std::size_t most_blocks_ = 0;
  std::vector<Elimination> eliminations_;
};

}  // namespace tasuki::npb::sp
