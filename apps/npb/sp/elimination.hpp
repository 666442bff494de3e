// Gaussian elimination on lines of the grid, side by side: the pentadiagonal systems of NPB SP.
//
// Every line has three systems: of its three slow waves, which have one matrix, and of its two
// sound waves (Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, 1994, section 3.4). A line
// may go on in other cells: its last two rows are then handed to the next cell, and later the first
// two solutions back. Called by the sweeps. Thread-safety: one per rank; its calls are for its own
// thread.
#pragma once

#include <span>

#include "npb/sp/cell.hpp"
#include "npb/sp/scheme.hpp"

namespace tasuki::npb::sp {

/// Lines that are eliminated at a time: their rows stay within the second-level cache. The distance
/// of two numbers of a row is that many, so that the compiler knows it. (EPYC, one rank, seconds of
/// user time with 32 and with 64: class W 1.81 and 1.74, class A 12.1 and 11.7.)
inline constexpr std::size_t most_lanes = 64;

/// Two rows of numbers for each lane are handed on, and two of solutions back.
inline constexpr std::size_t row_numbers = 11;
inline constexpr std::size_t handed_rows = 2;
inline constexpr std::size_t numbers_up = handed_rows * row_numbers;
inline constexpr std::size_t numbers_down = handed_rows * component_count;

/// What stands where the lines are, from their first row on; the lines are neighbours in memory.
struct Lines {
  std::array<const double*, component_count> right_side{};  ///< By wave.
  const double* velocity = nullptr;                         ///< Along the lines.
  const double* inverse_density = nullptr;
  const double* sound = nullptr;
  std::ptrdiff_t row_stride = 0;
  std::size_t lanes = 0;          ///< At most `most_lanes`.
  std::span<const Weights> rows;  ///< Fourth differences, by row.
};

/// The factors and solutions of some lines: two rows of the cell before, one for each row of the
/// lines, and two of the cell after.
class Elimination {
 public:
  static constexpr std::size_t row_size = row_numbers * most_lanes;

  /// For lines of up to `rows` rows.
  explicit Elimination(std::size_t rows) : numbers_((rows + 2 * handed_rows) * row_size, 0.0) {}

  /// The lines begin here: nothing comes before their first row.
  void begin_lines();
  /// They go on from another cell. `handed` has numbers_up for each lane.
  void continue_lines(std::span<const double> handed, std::size_t lanes);
  /// The way up: from the first row to the last.
  void eliminate(const Scheme& scheme, Axis axis, const Lines& lines);
  /// Writes what the next cell goes on from.
  void hand_up(std::size_t rows, std::size_t lanes, std::span<double> handed) const;

  /// The lines end here.
  void end_lines(std::size_t rows);
  /// They end in another cell. `handed` has numbers_down for each lane.
  void take_solutions(std::span<const double> handed, std::size_t rows, std::size_t lanes);
  /// The way down: solutions by row from the last to the first.
  void substitute(std::size_t rows, std::size_t lanes);
  /// Writes what the cell before goes on from.
  void hand_down(std::size_t lanes, std::span<double> handed) const;

  /// The solutions of a wave in a row, by lane.
  double* solution(std::size_t row, std::size_t wave) noexcept {
    return row_at(row + handed_rows) + solution_begin + wave * most_lanes;
  }

 private:
  /// A row's numbers: for each system two factors, by lane, then the solutions.
  static constexpr std::size_t solution_begin = (row_numbers - component_count) * most_lanes;

  double* row_at(std::size_t row) noexcept { return numbers_.data() + row * row_size; }
  const double* row_at(std::size_t row) const noexcept { return numbers_.data() + row * row_size; }

  apps::HugeArray<double> numbers_;
};

}  // namespace tasuki::npb::sp
