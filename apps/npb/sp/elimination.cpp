#include "npb/sp/elimination.hpp"

#include <algorithm>

namespace tasuki::npb::sp {
namespace {

constexpr std::size_t row_size = Elimination::row_size;
constexpr std::size_t first_solution = row_numbers - component_count;

using Lane = std::array<double, most_lanes>;

/// A row of a system: weights of the unknowns, those that are alike in all lanes apart.
struct Row {
  double below_2 = 0;
  double above_2 = 0;
  Lane below_1;
  Lane centre;
  Lane above_1;
};

/// Eliminates one row of system number `system`, with the right sides `right` of the waves from
/// `wave` on.
template <std::size_t system, std::size_t wave, std::size_t waves>
void eliminate_row(const Row& row, const std::array<const double*, waves>& right, std::size_t lanes,
                   double* __restrict here) {
  const double* const factors_1 = here - row_size + 2 * system * most_lanes;
  const double* const factors_2 = factors_1 - row_size;
  const double* const solutions_1 = here - row_size + (first_solution + wave) * most_lanes;
  const double* const solutions_2 = solutions_1 - row_size;
  double* const factors = here + 2 * system * most_lanes;
  double* const solutions = here + (first_solution + wave) * most_lanes;
#pragma omp simd
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const double below = row.below_1[lane] - row.below_2 * factors_2[lane];
    const double centre =
        row.centre[lane] - row.below_2 * factors_2[most_lanes + lane] - below * factors_1[lane];
    const double inverse = 1 / centre;
    factors[lane] = (row.above_1[lane] - below * factors_1[most_lanes + lane]) * inverse;
    factors[most_lanes + lane] = row.above_2 * inverse;
    for (std::size_t m = 0; m < waves; ++m) {
      const std::size_t at = m * most_lanes + lane;
      solutions[at] =
          (right[m][lane] - row.below_2 * solutions_2[at] - below * solutions_1[at]) * inverse;
    }
  }
}

}  // namespace

void Elimination::begin_lines() { std::fill_n(row_at(0), handed_rows * row_size, 0.0); }

void Elimination::continue_lines(std::span<const double> handed, std::size_t lanes) {
  const double* next = handed.data();
  for (std::size_t number = 0; number < numbers_up; ++number, next += lanes)
    std::copy_n(next, lanes, row_at(0) + number * most_lanes);
}

void Elimination::hand_up(std::size_t rows, std::size_t lanes, std::span<double> handed) const {
  double* next = handed.data();
  for (std::size_t number = 0; number < numbers_up; ++number)
    next = std::copy_n(row_at(rows) + number * most_lanes, lanes, next);
}

void Elimination::eliminate(const Scheme& scheme, Axis axis, const Lines& lines) {
  const double first = scheme.step_size * scheme.first;
  const double second = scheme.step_size * scheme.second;
  const double fourth = scheme.step_size * dissipation;
  // The fastest spreading, that of heat, is taken for all waves.
  const double least = second * diffusion[axis];
  const double spreading = second * heat_spreading * viscosity;
  const std::size_t lanes = lines.lanes;
  Row slow;
  Row with;     // The wave that runs with the gas ...
  Row against;  // ... and the one against it.
  for (std::size_t r = 0; r < lines.rows.size(); ++r) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(r) * lines.row_stride;
    const double* const speed = lines.velocity + at;
    const double* const inverse = lines.inverse_density + at;
    const double* const sound = lines.sound + at;
    const std::ptrdiff_t next = lines.row_stride;
    const Weights& weights = lines.rows[r];
    slow.below_2 = with.below_2 = against.below_2 = fourth * weights.below_2;
    slow.above_2 = with.above_2 = against.above_2 = fourth * weights.above_2;
    const double below_1 = fourth * weights.below_1 - least;
    const double centre = fourth * weights.centre + 1 + 2 * least;
    const double above_1 = fourth * weights.above_1 - least;
#pragma omp simd
    for (std::size_t k = 0; k < lanes; ++k) {
      const auto lane = static_cast<std::ptrdiff_t>(k);
      const double below = below_1 - first * speed[lane - next] - spreading * inverse[lane - next];
      const double above = above_1 + first * speed[lane + next] - spreading * inverse[lane + next];
      const double here = centre + 2 * spreading * inverse[lane];
      const double sound_below = first * sound[lane - next];
      const double sound_above = first * sound[lane + next];
      slow.below_1[k] = below;
      slow.centre[k] = with.centre[k] = against.centre[k] = here;
      slow.above_1[k] = above;
      with.below_1[k] = below - sound_below;
      with.above_1[k] = above + sound_above;
      against.below_1[k] = below + sound_below;
      against.above_1[k] = above - sound_above;
    }
    double* const row = row_at(r + handed_rows);
    const auto& right = lines.right_side;
    eliminate_row<0, 0, 3>(slow, {right[0] + at, right[1] + at, right[2] + at}, lanes, row);
    eliminate_row<1, 3, 1>(with, {right[3] + at}, lanes, row);
    eliminate_row<2, 4, 1>(against, {right[4] + at}, lanes, row);
  }
}

void Elimination::end_lines(std::size_t rows) {
  std::fill_n(row_at(rows + handed_rows), handed_rows * row_size, 0.0);
}

void Elimination::take_solutions(std::span<const double> handed, std::size_t rows,
                                 std::size_t lanes) {
  const double* next = handed.data();
  for (std::size_t row = rows; row < rows + handed_rows; ++row)
    for (std::size_t wave = 0; wave < component_count; ++wave, next += lanes)
      std::copy_n(next, lanes, solution(row, wave));
}

void Elimination::substitute(std::size_t rows, std::size_t lanes) {
  constexpr std::array<std::size_t, component_count> system_of_wave{0, 0, 0, 1, 2};
  for (std::size_t r = rows; r-- > 0;) {
    double* const row = row_at(r + handed_rows);
    for (std::size_t wave = 0; wave < component_count; ++wave) {
      const double* const factors = row + 2 * system_of_wave[wave] * most_lanes;
      double* const here = row + (first_solution + wave) * most_lanes;
      const double* const above = here + row_size;
#pragma omp simd
      for (std::size_t lane = 0; lane < lanes; ++lane)
        here[lane] -=
            factors[lane] * above[lane] + factors[most_lanes + lane] * above[row_size + lane];
    }
  }
}

void Elimination::hand_down(std::size_t lanes, std::span<double> handed) const {
  double* next = handed.data();
  for (std::size_t row = 0; row < handed_rows; ++row)
    for (std::size_t wave = 0; wave < component_count; ++wave)
      next = std::copy_n(row_at(row + handed_rows) + (first_solution + wave) * most_lanes, lanes,
                         next);
}

}  // namespace tasuki::npb::sp
