#include "npb/sp/right_side.hpp"

#include <cmath>

namespace tasuki::npb::sp {
namespace {

/// Sets the fields that follow from the state in a plane, on the interior and a point around it.
void derive_fields(Cell& cell, std::ptrdiff_t z) {
  const Span x_range = cell.interior(x_axis);
  const Span y_range = cell.interior(y_axis);
  for (std::ptrdiff_t y = y_range.begin - 1; y <= y_range.end; ++y) {
    const auto line = [&](std::size_t field) { return cell.line(field, y, z); };
    const double* const density = line(state);
    const double* const momentum_x = line(state + 1);
    const double* const momentum_y = line(state + 2);
    const double* const momentum_z = line(state + 3);
    const double* const energy = line(state + 4);
    double* const inverse = line(inverse_density);
    double* const x_velocity = line(velocity_along(x_axis));
    double* const y_velocity = line(velocity_along(y_axis));
    double* const z_velocity = line(velocity_along(z_axis));
    double* const pressures = line(pressure);
    double* const spread = line(spread_energy);
    double* const speed = line(sound);
#pragma omp simd
    for (std::ptrdiff_t x = x_range.begin - 1; x <= x_range.end; ++x) {
      const double per_mass = 1 / density[x];
      const double u = momentum_x[x] * per_mass;
      const double v = momentum_y[x] * per_mass;
      const double w = momentum_z[x] * per_mass;
      const double kinetic = 0.5 * (u * u + v * v + w * w);  // per mass
      const double force = (heat_ratio - 1) * (energy[x] - kinetic * density[x]);
      inverse[x] = per_mass;
      x_velocity[x] = u;
      y_velocity[x] = v;
      z_velocity[x] = w;
      pressures[x] = force;
      spread[x] = (1 - heat_spreading) * kinetic + heat_spreading * energy[x] * per_mass;
      speed[x] = std::sqrt(heat_ratio * force * per_mass);
    }
  }
}

}  // namespace

RightSide::RightSide(const Scheme& scheme, const Cell& cell) : scheme_(scheme) {
  for (const Axis axis : all_axes) {
    const apps::Range range = cell.box()[axis];
    const double second = diffusion[axis] * scheme.second;
    for (std::int64_t at = range.begin; at < range.end; ++at) {
      const Weights fourth = fourth_difference(at, scheme.edge);
      weights_[axis].push_back(
          {-dissipation * fourth.below_2, second - dissipation * fourth.below_1,
           -2 * second - dissipation * fourth.centre, second - dissipation * fourth.above_1,
           -dissipation * fourth.above_2});
    }
  }
  for (const Weights& one : weights_[x_axis]) {
    x_weights_[0].push_back(one.below_2);
    x_weights_[1].push_back(one.below_1);
    x_weights_[2].push_back(one.centre);
    x_weights_[3].push_back(one.above_1);
    x_weights_[4].push_back(one.above_2);
  }
}

void RightSide::set_forcing(Cell& cell) const {
  find(cell);
  const Span range = cell.interior(x_axis);
  for_each_line(cell, [&](std::ptrdiff_t y, std::ptrdiff_t z) {
    for (std::size_t m = 0; m < component_count; ++m) {
      const double* const change = cell.line(right_side + m, y, z);
      double* const force = cell.line(forcing + m, y, z);
      for (std::ptrdiff_t x = range.begin; x < range.end; ++x)
        force[x] -= change[x] / scheme_.step_size;
    }
  });
}

void RightSide::find(Cell& cell) const {
  const Span planes = cell.interior(z_axis);
  const Span lines = cell.interior(y_axis);
  // Only just before they are needed: so they are still in the cache.
  for (std::ptrdiff_t z = planes.begin - 1; z <= planes.begin; ++z) derive_fields(cell, z);
  for (std::ptrdiff_t z = planes.begin; z < planes.end; ++z) {
    derive_fields(cell, z + 1);
    for (std::ptrdiff_t y = lines.begin; y < lines.end; ++y) {
      for (std::size_t m = 0; m < component_count; ++m) add_differences(cell, m, y, z);
      add_mass_flow(cell, y, z);
      for (const Axis axis : all_axes) add_momentum_flow(cell, axis, y, z);
      add_energy_flow(cell, y, z);
    }
  }
}

/// Begins a line: the forcing, and the differences of the component itself.
void RightSide::add_differences(Cell& cell, std::size_t component, std::ptrdiff_t y,
                                std::ptrdiff_t z) const {
  const std::ptrdiff_t north = cell.stride(y_axis);
  const std::ptrdiff_t above = cell.stride(z_axis);
  const Weights by_y = weights_[y_axis][static_cast<std::size_t>(y)];
  const Weights by_z = weights_[z_axis][static_cast<std::size_t>(z)];
  const double centre = by_y.centre + by_z.centre;
  const double* const below_2 = x_weights_[0].data();
  const double* const below_1 = x_weights_[1].data();
  const double* const same = x_weights_[2].data();
  const double* const above_1 = x_weights_[3].data();
  const double* const above_2 = x_weights_[4].data();
  const double* const u = cell.line(state + component, y, z);
  const double* const force = cell.line(forcing + component, y, z);
  double* const change = cell.line(right_side + component, y, z);
  const Span range = cell.interior(x_axis);
#pragma omp simd
  for (std::ptrdiff_t x = range.begin; x < range.end; ++x) {
    const double along_x = below_2[x] * u[x - 2] + below_1[x] * u[x - 1] +
                           (same[x] + centre) * u[x] + above_1[x] * u[x + 1] +
                           above_2[x] * u[x + 2];
    const double along_y = by_y.below_2 * u[x - 2 * north] + by_y.below_1 * u[x - north] +
                           by_y.above_1 * u[x + north] + by_y.above_2 * u[x + 2 * north];
    const double along_z = by_z.below_2 * u[x - 2 * above] + by_z.below_1 * u[x - above] +
                           by_z.above_1 * u[x + above] + by_z.above_2 * u[x + 2 * above];
    change[x] = force[x] + along_x + along_y + along_z;
  }
}

void RightSide::add_mass_flow(Cell& cell, std::ptrdiff_t y, std::ptrdiff_t z) const {
  const std::ptrdiff_t north = cell.stride(y_axis);
  const std::ptrdiff_t above = cell.stride(z_axis);
  const double* const u = cell.line(state + 1, y, z);
  const double* const v = cell.line(state + 2, y, z);
  const double* const w = cell.line(state + 3, y, z);
  double* const change = cell.line(right_side, y, z);
  const double step_size = scheme_.step_size;
  const double first = scheme_.first;
  const Span range = cell.interior(x_axis);
#pragma omp simd
  for (std::ptrdiff_t x = range.begin; x < range.end; ++x)
    change[x] = step_size * (change[x] - first * (u[x + 1] - u[x - 1] + v[x + north] -
                                                  v[x - north] + w[x + above] - w[x - above]));
}

void RightSide::add_momentum_flow(Cell& cell, Axis axis, std::ptrdiff_t y, std::ptrdiff_t z) const {
  const std::ptrdiff_t north = cell.stride(y_axis);
  const std::ptrdiff_t above = cell.stride(z_axis);
  const std::ptrdiff_t along = cell.stride(axis);
  const double* const momentum = cell.line(state + 1 + axis, y, z);
  const double* const own = cell.line(velocity_along(axis), y, z);
  const double* const u = cell.line(velocity_along(x_axis), y, z);
  const double* const v = cell.line(velocity_along(y_axis), y, z);
  const double* const w = cell.line(velocity_along(z_axis), y, z);
  const double* const force = cell.line(pressure, y, z);
  double* const change = cell.line(right_side + 1 + axis, y, z);
  const double step_size = scheme_.step_size;
  const double first = scheme_.first;
  const double viscous = scheme_.viscous;
  const double own_viscous = viscous * (own_spreading - 1);
  const Span range = cell.interior(x_axis);
#pragma omp simd
  for (std::ptrdiff_t x = range.begin; x < range.end; ++x) {
    const double spreading = viscous * (own[x + 1] + own[x - 1] + own[x + north] + own[x - north] +
                                        own[x + above] + own[x - above] - 6 * own[x]) +
                             own_viscous * (own[x + along] - 2 * own[x] + own[x - along]);
    const double flow = momentum[x + 1] * u[x + 1] - momentum[x - 1] * u[x - 1] +
                        momentum[x + north] * v[x + north] - momentum[x - north] * v[x - north] +
                        momentum[x + above] * w[x + above] - momentum[x - above] * w[x - above] +
                        force[x + along] - force[x - along];
    change[x] = step_size * (change[x] + spreading - first * flow);
  }
}

void RightSide::add_energy_flow(Cell& cell, std::ptrdiff_t y, std::ptrdiff_t z) const {
  const std::ptrdiff_t north = cell.stride(y_axis);
  const std::ptrdiff_t above = cell.stride(z_axis);
  const double* const energy = cell.line(state + 4, y, z);
  const double* const spread = cell.line(spread_energy, y, z);
  const double* const u = cell.line(velocity_along(x_axis), y, z);
  const double* const v = cell.line(velocity_along(y_axis), y, z);
  const double* const w = cell.line(velocity_along(z_axis), y, z);
  const double* const force = cell.line(pressure, y, z);
  double* const change = cell.line(right_side + 4, y, z);
  const double step_size = scheme_.step_size;
  const double first = scheme_.first;
  const double viscous = scheme_.viscous;
  constexpr double sixth = (own_spreading - 1) / 2;
  const Span range = cell.interior(x_axis);
#pragma omp simd
  for (std::ptrdiff_t x = range.begin; x < range.end; ++x) {
    const double squares = u[x + 1] * u[x + 1] + u[x - 1] * u[x - 1] + v[x + north] * v[x + north] +
                           v[x - north] * v[x - north] + w[x + above] * w[x + above] +
                           w[x - above] * w[x - above] -
                           2 * (u[x] * u[x] + v[x] * v[x] + w[x] * w[x]);
    const double spreading = spread[x + 1] + spread[x - 1] + spread[x + north] + spread[x - north] +
                             spread[x + above] + spread[x - above] - 6 * spread[x] +
                             sixth * squares;
    const double flow = u[x + 1] * (energy[x + 1] + force[x + 1]) -
                        u[x - 1] * (energy[x - 1] + force[x - 1]) +
                        v[x + north] * (energy[x + north] + force[x + north]) -
                        v[x - north] * (energy[x - north] + force[x - north]) +
                        w[x + above] * (energy[x + above] + force[x + above]) -
                        w[x - above] * (energy[x - above] + force[x - above]);
    change[x] = step_size * (change[x] + viscous * spreading - first * flow);
  }
}

Components squared_right_side(const Cell& cell) {
  Components sums{};
  const Span range = cell.interior(x_axis);
  for_each_line(cell, [&](std::ptrdiff_t y, std::ptrdiff_t z) {
    for (std::size_t m = 0; m < component_count; ++m) {
      const double* const change = cell.line(right_side + m, y, z);
      for (std::ptrdiff_t x = range.begin; x < range.end; ++x) sums[m] += change[x] * change[x];
    }
  });
  return sums;
}

}  // namespace tasuki::npb::sp
