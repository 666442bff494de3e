#include "npb/sp/elimination.hpp"

#include <algorithm>

namespace tasuki::npb::sp {
namespace {

constexpr std::size_t row_size = Elimination::row_size;
constexpr std::size_t first_solution = row_numbers - component_count;

/// Eliminates a row of system number `system` in one lane, where `here` is the begin of the row's
/// numbers, with the right sides of the waves from `wave` on. The weights of the unknowns come one
/// by one, as a structure would keep the compiler from taking several lanes at a time.
template <std::size_t system, std::size_t wave, class... Right>
inline void eliminate_row(double below_2, double below_1, double middle, double above_1,
                          double above_2, double* here, Right... right) {
  constexpr std::size_t factor_1 = 2 * system * most_lanes;
  constexpr std::size_t factor_2 = factor_1 + most_lanes;
  const double* const before = here - row_size;
  const double* const before_2 = before - row_size;
  const double below = below_1 - below_2 * before_2[factor_1];
  const double centre = middle - below_2 * before_2[factor_2] - below * before[factor_1];
  const double inverse = 1 / centre;
  here[factor_1] = (above_1 - below * before[factor_2]) * inverse;
  here[factor_2] = above_2 * inverse;
  std::size_t at = (first_solution + wave) * most_lanes;
  ((here[at] = (right - below_2 * before_2[at] - below * before[at]) * inverse, at += most_lanes),
   ...);
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
  const std::ptrdiff_t next = lines.row_stride;
  const double* const slow_1 = lines.right_side[0];
  const double* const slow_2 = lines.right_side[1];
  const double* const slow_3 = lines.right_side[2];
  const double* const with = lines.right_side[3];
  const double* const against = lines.right_side[4];
  for (std::size_t r = 0; r < lines.rows.size(); ++r) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(r) * lines.row_stride;
    const double* const speed = lines.velocity + at;
    const double* const inverse = lines.inverse_density + at;
    const double* const sound = lines.sound + at;
    const Weights& weights = lines.rows[r];
    const double below_2 = fourth * weights.below_2;
    const double below_1 = fourth * weights.below_1 - least;
    const double centre = fourth * weights.centre + 1 + 2 * least;
    const double above_1 = fourth * weights.above_1 - least;
    const double above_2 = fourth * weights.above_2;
    double* const row = row_at(r + handed_rows);
#pragma omp simd
    for (std::ptrdiff_t lane = 0; lane < static_cast<std::ptrdiff_t>(lines.lanes); ++lane) {
      const double below = below_1 - first * speed[lane - next] - spreading * inverse[lane - next];
      const double above = above_1 + first * speed[lane + next] - spreading * inverse[lane + next];
      const double here = centre + 2 * spreading * inverse[lane];
      const double sound_below = first * sound[lane - next];
      const double sound_above = first * sound[lane + next];
      // The slow waves, the one that runs with the gas, and the one against it.
      double* const numbers = row + lane;
      eliminate_row<0, 0>(below_2, below, here, above, above_2, numbers, slow_1[at + lane],
                          slow_2[at + lane], slow_3[at + lane]);
      eliminate_row<1, 3>(below_2, below - sound_below, here, above + sound_above, above_2, numbers,
                          with[at + lane]);
      eliminate_row<2, 4>(below_2, below + sound_below, here, above - sound_above, above_2, numbers,
                          against[at + lane]);
    }
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
