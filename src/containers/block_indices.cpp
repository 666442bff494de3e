#include <tasuki/detail/containers/block_indices.hpp>

namespace tasuki::containers {

BlockIndices::BlockIndices(const layout::ArrayLayout& layout, int rank) : layout_(layout) {
  for (int d = 0; d < layout.dimensions(); ++d) {
    dimensions_.push_back(layout.nth_fastest(d));
    processes_.push_back(layout.process(rank, d));
    local_.push_back(0);
    local_extents_.push_back(layout.local_extent(rank, d));
    index_.push_back(
        local_extents_.back() == 0 ? 0 : layout.axis(d).global_index(processes_.back(), 0));
  }
}

void BlockIndices::advance() noexcept {
  for (const int dimension : dimensions_) {
    const auto d = static_cast<std::size_t>(dimension);
    const layout::Axis& axis = layout_.axis(dimension);
    const bool is_over = ++local_[d] == local_extents_[d];
    if (is_over) local_[d] = 0;
    // Inside a block of the axis indices follow each other; the division is only for the others.
    const bool follows = !is_over && (index_[d] + 1) % axis.block_extent() != 0;
    index_[d] = follows ? index_[d] + 1 : axis.global_index(processes_[d], local_[d]);
    if (!is_over) return;
  }
}

}  // namespace tasuki::containers
