#include "npb/sp/waves.hpp"

#include <numbers>

namespace tasuki::npb::sp {
namespace {

constexpr double root_of_half = std::numbers::sqrt2 / 2;

}  // namespace

void find_x_waves(const Cell& cell, std::ptrdiff_t y, std::ptrdiff_t z, const Arrays& waves) {
  const auto line = [&](std::size_t field) { return cell.line(field, y, z); };
  const double* const mass = line(right_side);
  const double* const momentum_x = line(right_side + 1);
  const double* const momentum_y = line(right_side + 2);
  const double* const momentum_z = line(right_side + 3);
  const double* const energy = line(right_side + 4);
  const double* const inverse = line(inverse_density);
  const double* const u = line(velocity_along(x_axis));
  const double* const v = line(velocity_along(y_axis));
  const double* const w = line(velocity_along(z_axis));
  const double* const speed = line(sound);
  double* const entropy = waves[0];
  double* const shear_z = waves[1];
  double* const shear_y = waves[2];
  double* const with = waves[3];
  double* const against = waves[4];
  const Span range = cell.interior(x_axis);
#pragma omp simd
  for (std::ptrdiff_t x = range.begin; x < range.end; ++x) {
    const double kinetic = 0.5 * (u[x] * u[x] + v[x] * v[x] + w[x] * w[x]);
    const double force = (heat_ratio - 1) / (speed[x] * speed[x]) *
                         (kinetic * mass[x] - u[x] * momentum_x[x] - v[x] * momentum_y[x] -
                          w[x] * momentum_z[x] + energy[x]);
    const double scale = root_of_half * inverse[x];
    const double moved = scale * (u[x] * mass[x] - momentum_x[x]);
    const double pressed = scale * speed[x] * force;
    entropy[x] = mass[x] - force;
    shear_z[x] = -inverse[x] * (w[x] * mass[x] - momentum_z[x]);
    shear_y[x] = inverse[x] * (v[x] * mass[x] - momentum_y[x]);
    with[x] = pressed - moved;
    against[x] = pressed + moved;
  }
}

void turn_x_to_y(const Arrays& waves, std::size_t count) {
  double* const first = waves[0];
  double* const second = waves[1];
  double* const third = waves[2];
  double* const fourth = waves[3];
  double* const fifth = waves[4];
#pragma omp simd
  for (std::size_t k = 0; k < count; ++k) {
    const double one = first[k];
    const double turned = root_of_half * third[k];
    const double mean = 0.5 * (fourth[k] + fifth[k]);
    third[k] = root_of_half * (fourth[k] - fifth[k]);
    first[k] = -second[k];
    second[k] = one;
    fourth[k] = mean - turned;
    fifth[k] = mean + turned;
  }
}

void turn_y_to_z(const Arrays& waves, std::size_t count, const Arrays& turned_waves) {
  double* const first = waves[0];
  double* const second = waves[1];
  double* const third = waves[2];
  double* const fourth = waves[3];
  double* const fifth = waves[4];
  double* const to_first = turned_waves[0];
  double* const to_second = turned_waves[1];
  double* const to_third = turned_waves[2];
  double* const to_fourth = turned_waves[3];
  double* const to_fifth = turned_waves[4];
#pragma omp simd
  for (std::size_t k = 0; k < count; ++k) {
    const double two = second[k];
    const double turned = root_of_half * first[k];
    const double mean = 0.5 * (fourth[k] + fifth[k]);
    to_first[k] = root_of_half * (fourth[k] - fifth[k]);
    to_second[k] = -third[k];
    to_third[k] = two;
    to_fourth[k] = mean - turned;
    to_fifth[k] = mean + turned;
  }
}

void add_z_waves(const Arrays& waves, std::size_t count, std::ptrdiff_t x, std::ptrdiff_t y,
                 std::ptrdiff_t z, Cell& cell) {
  double* const first = waves[0];
  double* const second = waves[1];
  double* const third = waves[2];
  double* const fourth = waves[3];
  double* const fifth = waves[4];
  const auto line = [&](std::size_t field) { return cell.line(field, y, z) + x; };
  double* const density = line(state);
  double* const momentum_x = line(state + 1);
  double* const momentum_y = line(state + 2);
  double* const momentum_z = line(state + 3);
  double* const energy = line(state + 4);
  const double* const u = line(velocity_along(x_axis));
  const double* const v = line(velocity_along(y_axis));
  const double* const w = line(velocity_along(z_axis));
  const double* const speed = line(sound);
#pragma omp simd
  for (std::size_t k = 0; k < count; ++k) {
    const double mass = density[k];
    const double scale = root_of_half * mass;
    const double pressed = scale / speed[k] * (fourth[k] + fifth[k]);
    const double moved = scale * (fourth[k] - fifth[k]);
    const double change = third[k] + pressed;
    const double kinetic = 0.5 * (u[k] * u[k] + v[k] * v[k] + w[k] * w[k]);
    density[k] += change;
    momentum_x[k] += u[k] * change - mass * second[k];
    momentum_y[k] += v[k] * change + mass * first[k];
    momentum_z[k] += w[k] * change + moved;
    energy[k] += mass * (v[k] * first[k] - u[k] * second[k]) + kinetic * change +
                 speed[k] * speed[k] / (heat_ratio - 1) * pressed + w[k] * moved;
  }
}

}  // namespace tasuki::npb::sp
