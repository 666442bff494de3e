#include <tasuki/detail/layout/owner_cursor.hpp>

#include <algorithm>
#include <variant>

namespace tasuki::layout {

OwnerCursor::OwnerCursor(const ArrayLayout& layout)
    : layout_(layout),
      grid_(std::get_if<Grid>(&layout.placement())),
      piece_bytes_(layout.element_bytes()) {
  for (int n = 0; n < layout.dimensions(); ++n) {
    const int dimension = layout.nth_fastest(n);
    const Axis& axis = layout.axis(dimension);
    at_end_ = at_end_ || axis.extent() == 0;
    if (dimensions_.empty() && axis.processes() == 1) {
      piece_bytes_ *= axis.extent();
    } else {
      dimensions_.push_back(dimension);
    }
  }
  index_.resize(dimensions_.size());
  coordinates_.resize(static_cast<std::size_t>(layout.dimensions()));
}

std::optional<OwnedRun> OwnerCursor::next() {
  if (at_end_) return {};
  if (dimensions_.empty()) {
    at_end_ = true;
    return OwnedRun{0, piece_bytes_};
  }
  const Axis& fastest = layout_.axis(dimensions_.front());
  const std::int64_t block_end =
      (index_.front() / fastest.block_extent() + 1) * fastest.block_extent();
  const std::int64_t steps = std::min(block_end, fastest.extent()) - index_.front();
  const OwnedRun run{grid_->rank_at(coordinates_), steps * piece_bytes_};
  advance(steps);
  return run;
}

void OwnerCursor::advance(std::int64_t steps) {
  for (std::size_t n = 0; n < dimensions_.size(); ++n) {
    const Axis& axis = layout_.axis(dimensions_[n]);
    index_[n] += n == 0 ? steps : 1;
    const bool went_on = index_[n] < axis.extent();
    if (!went_on) index_[n] = 0;
    coordinates_[static_cast<std::size_t>(dimensions_[n])] = axis.owner(index_[n]);
    if (went_on) return;
  }
  at_end_ = true;
}

}  // namespace tasuki::layout
