#include "npb/cg/layout.hpp"

namespace tasuki::npb::cg {
namespace {

/// The largest divisor of `ranks` not above its square root: a grid at least as high as wide,
/// because an expansion costs no additions.
int width_of_grid(int ranks) {
  int width = 1;
  for (int candidate = 2; candidate * candidate <= ranks; ++candidate)
    if (ranks % candidate == 0) width = candidate;
  return width;
}

}  // namespace

Layout::Layout(std::int64_t order, int rank, int ranks)
    : order_(order),
      rank_(rank),
      grid_rows_(ranks / width_of_grid(ranks)),
      grid_columns_(width_of_grid(ranks)) {
  const int grid_row = rank / grid_columns_;
  const int grid_column = rank % grid_columns_;
  column_begins_.push_back(0);
  for (int row = 0; row < grid_rows_; ++row)
    column_begins_.push_back(column_begins_.back() +
                             segment(row * grid_columns_ + grid_column).size());
  for (int step = 1; step < grid_rows_; ++step)
    column_peers_.push_back((grid_row + step) % grid_rows_ * grid_columns_ + grid_column);
  for (int step = 1; step < grid_columns_; ++step)
    row_peers_.push_back(grid_row * grid_columns_ + (grid_column + step) % grid_columns_);
}

std::vector<std::int32_t> Layout::column_numbers() const {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(order_), -1);
  std::int32_t next = 0;
  for (int row = 0; row < grid_rows_; ++row) {
    const apps::Range range = segment(row * grid_columns_ + rank_ % grid_columns_);
    for (std::int64_t column = range.begin; column < range.end; ++column)
      numbers[static_cast<std::size_t>(column)] = next++;
  }
  return numbers;
}

}  // namespace tasuki::npb::cg
