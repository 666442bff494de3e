#include "npb/mg/layout.hpp"

#include <algorithm>
#include <bit>

#include "npb/common/rank_count.hpp"

namespace tasuki::npb::mg {

Layout::Layout(int edge_bits, int rank, int ranks) : finest_level_(edge_bits), rank_(rank) {
  const auto count = static_cast<unsigned>(ranks);
  const int bits = static_cast<int>(std::bit_width(count)) - 1;
  if (!std::has_single_bit(count) || bits > static_cast<int>(axis_count) * (edge_bits - 1))
    refuse_rank_count("mg", ranks, "a power of two of ranks, as 1, 2, 4 or 8");
  const int x_bits = bits / 3;
  const int y_bits = (bits - x_bits) / 2;
  ranks_ = {1 << x_bits, 1 << y_bits, 1 << (bits - x_bits - y_bits)};
}

int Layout::neighbour(Axis axis, Side side) const noexcept {
  Place place = place_of(rank_);
  const int step = side == upper ? 1 : ranks_[axis] - 1;
  place[axis] = (place[axis] + step) % ranks_[axis];
  return place[x_axis] + ranks_[x_axis] * (place[y_axis] + ranks_[y_axis] * place[z_axis]);
}

int Layout::coarsest_divided_level() const noexcept {
  const auto most = static_cast<unsigned>(*std::max_element(ranks_.begin(), ranks_.end()));
  return std::max(1, static_cast<int>(std::bit_width(most)) - 1);
}

Box Layout::box(int level, int rank) const noexcept {
  const Place place = place_of(rank);
  Box box;
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    box[axis] = apps::part_of({0, std::int64_t{1} << level}, place[axis], ranks_[axis]);
  return box;
}

Layout::Place Layout::place_of(int rank) const noexcept {
  return {rank % ranks_[x_axis], rank / ranks_[x_axis] % ranks_[y_axis],
          rank / (ranks_[x_axis] * ranks_[y_axis])};
}

}  // namespace tasuki::npb::mg
