#include "npb/sp/sweep.hpp"

namespace tasuki::npb::sp {
namespace {

/// What is transposed on the way in: the waves, the velocity, the inverse density, and sound.
constexpr std::size_t transposed_fields = component_count + 3;

std::size_t size_of(Span span) { return static_cast<std::size_t>(span.size()); }

/// to[k * most_lanes] = from[k].
void scatter(const double* from, std::size_t count, double* __restrict to) noexcept {
  for (std::size_t k = 0; k < count; ++k) to[k * most_lanes] = from[k];
}

}  // namespace

Sweep::Sweep(const Scheme& scheme, Axis axis, const Cell& cell)
    : scheme_(scheme),
      axis_(axis),
      plane_axis_(axis == z_axis ? y_axis : z_axis),
      lane_axis_(axis == x_axis ? y_axis : x_axis),
      planes_range_(cell.interior(plane_axis_)),
      lanes_range_(cell.interior(lane_axis_)),
      rows_range_(cell.interior(axis)),
      planes_(size_of(planes_range_)),
      lines_of_plane_(size_of(lanes_range_)),
      blocks_of_plane_((lines_of_plane_ + most_lanes - 1) / most_lanes) {
  const std::int64_t begin = cell.box()[axis].begin;
  for (std::ptrdiff_t at = rows_range_.begin; at < rows_range_.end; ++at)
    weights_.push_back(fourth_difference(begin + at, scheme.edge));
  if (axis == x_axis) {
    transposed_.resize(transposed_fields * (rows() + 2) * most_lanes, 0.0);
    line_.resize(component_count * (rows() + 2), 0.0);
  }
}

std::size_t Sweep::lanes(std::size_t block) const noexcept { return place_of(block).lanes; }

Sweep::Place Sweep::place_of(std::size_t block) const noexcept {
  const apps::Range range =
      apps::part_of({lanes_range_.begin, lanes_range_.end},
                    static_cast<int>(block % blocks_of_plane_), static_cast<int>(blocks_of_plane_));
  return {planes_range_.begin + static_cast<std::ptrdiff_t>(block / blocks_of_plane_), range.begin,
          static_cast<std::size_t>(range.size())};
}

void Sweep::eliminate(const Cell& cell, std::size_t block, Elimination& elimination) {
  const Place place = place_of(block);
  elimination.eliminate(scheme_, axis_,
                        axis_ == x_axis ? lines_along_x(cell, place) : lines_across_x(cell, place));
}

Lines Sweep::lines_across_x(const Cell& cell, const Place& place) const {
  const auto first = [&](std::size_t field) {
    const double* const line = axis_ == y_axis ? cell.line(field, rows_range_.begin, place.plane)
                                               : cell.line(field, place.plane, rows_range_.begin);
    return line + place.begin;
  };
  Lines lines;
  for (std::size_t m = 0; m < component_count; ++m) lines.right_side[m] = first(right_side + m);
  lines.velocity = first(velocity_along(axis_));
  lines.inverse_density = first(inverse_density);
  lines.sound = first(sound);
  lines.row_stride = cell.stride(axis_);
  lines.lanes = place.lanes;
  lines.rows = weights_;
  return lines;
}

Lines Sweep::lines_along_x(const Cell& cell, const Place& place) {
  const std::size_t field_size = (rows() + 2) * most_lanes;
  // A row before the first one and after the last one: of the waves they are not used.
  const auto first = [&](std::size_t field) {
    return transposed_.data() + field * field_size + most_lanes;
  };
  Arrays waves;
  for (std::size_t m = 0; m < component_count; ++m)
    waves[m] = line_.data() + m * (rows() + 2) + 1 - rows_range_.begin;
  for (std::size_t lane = 0; lane < place.lanes; ++lane) {
    const std::ptrdiff_t y = place.begin + static_cast<std::ptrdiff_t>(lane);
    find_x_waves(cell, y, place.plane, waves);
    for (std::size_t m = 0; m < component_count; ++m)
      scatter(waves[m] + rows_range_.begin, rows(), first(m) + lane);
    std::size_t to = component_count;
    for (const std::size_t field :
         {velocity_along(x_axis), std::size_t{inverse_density}, std::size_t{sound}})
      scatter(cell.line(field, y, place.plane) + rows_range_.begin - 1, rows() + 2,
              first(to++) + lane - most_lanes);
  }
  Lines lines;
  for (std::size_t m = 0; m < component_count; ++m) lines.right_side[m] = first(m);
  lines.velocity = first(component_count);
  lines.inverse_density = first(component_count + 1);
  lines.sound = first(component_count + 2);
  lines.row_stride = most_lanes;
  lines.lanes = place.lanes;
  lines.rows = weights_;
  return lines;
}

void Sweep::substitute(std::size_t block, Elimination& elimination) const {
  elimination.substitute(rows(), lanes(block));
}

void Sweep::finish(Cell& cell, std::size_t block, Elimination& elimination) const {
  const Place place = place_of(block);
  if (axis_ == x_axis) return turn_along_x(cell, place, elimination);
  for (std::size_t row = 0; row < rows(); ++row) {
    Arrays waves;
    for (std::size_t m = 0; m < component_count; ++m) waves[m] = elimination.solution(row, m);
    const std::ptrdiff_t at = rows_range_.begin + static_cast<std::ptrdiff_t>(row);
    if (axis_ == z_axis) {
      add_z_waves(waves, place.lanes, place.begin, place.plane, at, cell);
    } else {
      Arrays turned;
      for (std::size_t m = 0; m < component_count; ++m)
        turned[m] = cell.line(right_side + m, at, place.plane) + place.begin;
      turn_y_to_z(waves, place.lanes, turned);
    }
  }
}

void Sweep::turn_along_x(Cell& cell, const Place& place, Elimination& elimination) const {
  for (std::size_t row = 0; row < rows(); ++row) {
    Arrays waves;
    for (std::size_t m = 0; m < component_count; ++m) waves[m] = elimination.solution(row, m);
    turn_x_to_y(waves, place.lanes);
  }
  for (std::size_t lane = 0; lane < place.lanes; ++lane)
    for (std::size_t m = 0; m < component_count; ++m) {
      double* const line =
          cell.line(right_side + m, place.begin + static_cast<std::ptrdiff_t>(lane), place.plane) +
          rows_range_.begin;
      const double* const solution = elimination.solution(0, m) + lane;
      for (std::size_t row = 0; row < rows(); ++row)
        line[row] = solution[row * Elimination::row_size];
    }
}

}  // namespace tasuki::npb::sp
