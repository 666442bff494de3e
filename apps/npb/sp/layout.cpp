#include "npb/sp/layout.hpp"

#include <cmath>

#include "npb/common/rank_count.hpp"

namespace tasuki::npb::sp {

Layout::Layout(std::int64_t edge, int rank, int ranks)
    : edge_(edge), rank_(rank), width_(static_cast<int>(std::lround(std::sqrt(ranks)))) {
  constexpr std::int64_t least_points = 3;
  if (width_ * width_ != ranks || edge / width_ < least_points)
    refuse_rank_count("sp", ranks, "a square number of ranks, as 1, 4 or 9");
}

// Cell c of the rank in column i and row j of the square is the one at (i + c, j - c, c).

Box Layout::box(int cell) const noexcept {
  const std::array<int, axis_count> at{wrapped(rank_ % width_ + cell - width_),
                                       wrapped(rank_ / width_ - cell), cell};
  Box box;
  for (const Axis axis : all_axes) box[axis] = apps::part_of({0, edge_}, at[axis], width_);
  return box;
}

int Layout::cell_at(Axis axis, int stage) const noexcept {
  if (axis == x_axis) return wrapped(stage - rank_ % width_);
  if (axis == y_axis) return wrapped(rank_ / width_ - stage);
  return stage;
}

int Layout::neighbour(Axis axis, Side side) const noexcept {
  const int step = side == upper ? 1 : -1;
  int column = rank_ % width_;
  int row = rank_ / width_;
  if (axis == x_axis) column += step;
  if (axis == y_axis) row += step;
  if (axis == z_axis) {
    column -= step;
    row += step;
  }
  return wrapped(column) % width_ + width_ * (wrapped(row) % width_);
}

}  // namespace tasuki::npb::sp
