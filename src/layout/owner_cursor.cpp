#include <tasuki/detail/layout/owner_cursor.hpp>

#include <algorithm>
#include <variant>

namespace tasuki::layout {

OwnerCursor::OwnerCursor(const ArrayLayout& layout)
    : layout_(layout),
      grid_(std::get_if<Grid>(&layout.placement())),
      piece_bytes_(layout.element_bytes()) {
  coordinates_.resize(static_cast<std::size_t>(layout.dimensions()));
  for (int n = 0; n < layout.dimensions(); ++n) {
    const int dimension = layout.nth_fastest(n);
    const Axis& axis = layout.axis(dimension);
    const IndexRange range = layout.range(dimension);
    if (range.count() == 0) {
      at_end_ = true;
    } else if (dimensions_.empty() && axis.processes() == 1) {
      piece_bytes_ *= range.count();
    } else {
      dimensions_.push_back(dimension);
      coordinates_[static_cast<std::size_t>(dimension)] = axis.owner(range.lower);
    }
  }
  index_.resize(dimensions_.size());
}

std::optional<OwnedRun> OwnerCursor::next() {
  if (at_end_) return {};
  if (dimensions_.empty()) {
    at_end_ = true;
    return OwnedRun{0, piece_bytes_};
  }
  const std::int64_t block_extent = layout_.axis(dimensions_.front()).block_extent();
  const IndexRange range = layout_.range(dimensions_.front());
  const std::int64_t begin = global(0, index_.front());
  const std::int64_t to_end = std::min(block_extent - begin % block_extent, range.upper - begin);
  const std::int64_t steps = (to_end - 1) / range.step + 1;
  const OwnedRun run{grid_->rank_at(coordinates_), steps * piece_bytes_};
  advance(steps);
  return run;
}

std::int64_t OwnerCursor::global(std::size_t n, std::int64_t index) const noexcept {
  const IndexRange range = layout_.range(dimensions_[n]);
  return range.lower + index * range.step;
}

void OwnerCursor::advance(std::int64_t steps) {
  for (std::size_t n = 0; n < dimensions_.size(); ++n) {
    const Axis& axis = layout_.axis(dimensions_[n]);
    index_[n] += n == 0 ? steps : 1;
    const bool went_on = index_[n] < layout_.range(dimensions_[n]).count();
    if (!went_on) index_[n] = 0;
    coordinates_[static_cast<std::size_t>(dimensions_[n])] = axis.owner(global(n, index_[n]));
    if (went_on) return;
  }
  at_end_ = true;
}

}  // namespace tasuki::layout
