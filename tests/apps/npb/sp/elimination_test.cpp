#include "npb/sp/elimination.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "npb/common/random.hpp"

namespace tasuki::npb::sp {
namespace {

constexpr std::size_t lanes = 5;
constexpr std::size_t rows = 9;
constexpr Problem problem{.edge = rows + 2, .steps = 1, .step_size = 0.02};

/// Random lines, with a row more at both ends, where the right side is 0.
class RandomLines {
 public:
  RandomLines() : numbers_(fields * size, 0.0) {
    RandomStream random;
    for (std::size_t field = 0; field < fields; ++field)
      for (std::size_t k = 0; k < size; ++k) {
        const bool is_end = k < lanes || k >= size - lanes;
        const double number = random.next() + 0.5;
        if (field >= component_count || !is_end) numbers_[field * size + k] = number;
      }
    for (std::size_t row = 1; row <= rows; ++row)
      weights_.push_back(fourth_difference(static_cast<std::int64_t>(row), problem.edge));
  }

  /// `row` counts from 1 where the lines are.
  double at(std::size_t field, std::size_t row, std::size_t lane) const {
    return numbers_[field * size + row * lanes + lane];
  }

  Lines lines(std::size_t first_row, std::size_t count) const {
    const auto first = [&](std::size_t field) {
      return numbers_.data() + field * size + (1 + first_row) * lanes;
    };
    Lines some;
    for (std::size_t m = 0; m < component_count; ++m) some.right_side[m] = first(m);
    some.velocity = first(component_count);
    some.inverse_density = first(component_count + 1);
    some.sound = first(component_count + 2);
    some.row_stride = lanes;
    some.lanes = lanes;
    some.rows = std::span(weights_).subspan(first_row, count);
    return some;
  }

 private:
  static constexpr std::size_t fields = component_count + 3;
  static constexpr std::size_t size = (rows + 2) * lanes;

  std::vector<double> numbers_;
  std::vector<Weights> weights_;
};

/// The specification's row of a wave's system times the solutions, which are 0 beyond the lines.
template <class Solution>
double product(const RandomLines& lines, Axis axis, std::size_t wave, std::size_t row,
               std::size_t lane, Solution solution) {
  const Scheme scheme(problem);
  const double first = scheme.step_size * scheme.first;
  const double second = scheme.step_size * scheme.second;
  const auto speed = [&](std::size_t at) {
    const double sound_share = wave == 3 ? 1 : wave == 4 ? -1 : 0;
    return lines.at(component_count, at, lane) +
           sound_share * lines.at(component_count + 2, at, lane);
  };
  const auto spreading = [&](std::size_t at) {
    return diffusion[axis] + viscosity * 1.96 * lines.at(component_count + 1, at, lane);
  };
  const Weights weights = fourth_difference(static_cast<std::int64_t>(row), problem.edge);
  const double fourth = scheme.step_size * dissipation;
  return fourth * weights.below_2 * solution(row, -2) +
         (fourth * weights.below_1 - first * speed(row - 1) - second * spreading(row - 1)) *
             solution(row, -1) +
         (fourth * weights.centre + 1 + 2 * second * spreading(row)) * solution(row, 0) +
         (fourth * weights.above_1 + first * speed(row + 1) - second * spreading(row + 1)) *
             solution(row, 1) +
         fourth * weights.above_2 * solution(row, 2);
}

TEST(SpElimination, SolvesTheSystemsOfAllWaves) {
  const RandomLines lines;
  for (const Axis axis : {x_axis, z_axis}) {
    Elimination elimination(rows);
    elimination.begin_lines();
    elimination.eliminate(Scheme(problem), axis, lines.lines(0, rows));
    elimination.end_lines(rows);
    elimination.substitute(rows, lanes);
    for (std::size_t wave = 0; wave < component_count; ++wave)
      for (std::size_t row = 1; row <= rows; ++row)
        for (std::size_t lane = 0; lane < lanes; ++lane)
          EXPECT_NEAR(product(lines, axis, wave, row, lane,
                              [&](std::size_t at, int by) {
                                const std::size_t there = at + static_cast<std::size_t>(by);
                                if (there < 1 || there > rows) return 0.0;
                                return elimination.solution(there - 1, wave)[lane];
                              }),
                      lines.at(wave, row, lane), 1e-12);
  }
}

TEST(SpElimination, GoesOnInTheNextCell) {
  const RandomLines lines;
  Elimination whole(rows);
  whole.begin_lines();
  whole.eliminate(Scheme(problem), x_axis, lines.lines(0, rows));
  whole.end_lines(rows);
  whole.substitute(rows, lanes);

  constexpr std::size_t below_rows = 4;
  constexpr std::size_t above_rows = rows - below_rows;
  std::vector<double> up(numbers_up * lanes);
  Elimination below(rows);
  below.begin_lines();
  below.eliminate(Scheme(problem), x_axis, lines.lines(0, below_rows));
  below.hand_up(below_rows, lanes, up);

  std::vector<double> down(numbers_down * lanes);
  Elimination above(rows);
  above.continue_lines(up, lanes);
  above.eliminate(Scheme(problem), x_axis, lines.lines(below_rows, above_rows));
  above.end_lines(above_rows);
  above.substitute(above_rows, lanes);
  above.hand_down(lanes, down);
  below.take_solutions(down, below_rows, lanes);
  below.substitute(below_rows, lanes);

  for (std::size_t wave = 0; wave < component_count; ++wave)
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const bool is_below = row < below_rows;
        const double found = is_below ? below.solution(row, wave)[lane]
                                      : above.solution(row - below_rows, wave)[lane];
        EXPECT_EQ(found, whole.solution(row, wave)[lane]);
      }
}

}  // namespace
}  // namespace tasuki::npb::sp
