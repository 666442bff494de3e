#include <tasuki/detail/containers/halo_parts.hpp>

#include <algorithm>
#include <string>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::containers {
namespace {

/// Throws tasuki::error if the rank has several runs along an axis.
Box block_of(const layout::ArrayLayout& layout, int rank) {
  Box box;
  for (int d = 0; d < layout.dimensions(); ++d) {
    const layout::Axis& axis = layout.axis(d);
    const int process = layout.process(rank, d);
    if (axis.run_count(process) > 1) {
      throw error("making a Halo", "dimension " + std::to_string(d) + " of the Array is cyclic",
                  "divide the Array by Block and Whole");
    }
    const std::int64_t extent = axis.local_extent(process);
    const std::int64_t lower = extent == 0 ? 0 : axis.global_index(process, 0);
    box.lower.push_back(lower);
    box.upper.push_back(lower + extent);
  }
  return box;
}

/// Nothing around nothing. Requires: width >= 0.
Box widened(const Box& block, const layout::ArrayLayout& layout, std::int64_t width) {
  Box box = block;
  if (block.count() == 0) return box;
  for (std::size_t d = 0; d < box.lower.size(); ++d) {
    const std::int64_t above = layout.axis(static_cast<int>(d)).extent() - box.upper[d];
    box.lower[d] -= std::min(width, box.lower[d]);
    box.upper[d] += std::min(width, above);
  }
  return box;
}

std::int64_t checked_width(std::int64_t width) {
  if (width >= 0) return width;
  throw error("making a Halo", "its width is " + std::to_string(width),
              "give the number of indices beside the block, at least 0");
}

Box common(const Box& one, const Box& other) {
  Box box;
  for (std::size_t d = 0; d < one.lower.size(); ++d) {
    box.lower.push_back(std::max(one.lower[d], other.lower[d]));
    box.upper.push_back(std::max(box.lower[d], std::min(one.upper[d], other.upper[d])));
  }
  return box;
}

/// A box of an array whose indices are those of the whole array, without gaps.
ArrayMemory memory_of(const Box& box, const layout::ArrayLayout& layout) {
  ArrayMemory memory;
  memory.element_bytes = static_cast<std::size_t>(layout.element_bytes());
  memory.strides.resize(box.lower.size());
  std::int64_t stride = 1;
  for (int n = 0; n < layout.dimensions(); ++n) {
    const auto d = static_cast<std::size_t>(layout.nth_fastest(n));
    memory.fastest.push_back(d);
    memory.strides[d] = stride;
    memory.origin -= box.lower[d] * stride;
    stride *= box.extent(d);
  }
  return memory;
}

}  // namespace

HaloParts::HaloParts(const layout::ArrayLayout& layout, int rank, std::int64_t width)
    : block_(block_of(layout, rank)),
      halo_(widened(block_, layout, checked_width(width))),
      block_memory_(memory_of(block_, layout)),
      halo_memory_(memory_of(halo_, layout)) {
  for (int other = 0; other < layout.ranks(); ++other) {
    if (other == rank) continue;
    const Box theirs = block_of(layout, other);
    SharedBoxes boxes{other};
    boxes.sent.emplace_back(common(block_, widened(theirs, layout, width)), block_memory_);
    boxes.received.emplace_back(common(halo_, theirs), halo_memory_);
    if (boxes.sent.front().bytes() + boxes.received.front().bytes() == 0) continue;
    shared_.push_back(std::move(boxes));
  }
}

void HaloParts::copy_block(const std::byte* block, std::byte* halo) const {
  MemoryBox(block_, halo_memory_).unpack(block, halo);
}

std::size_t HaloParts::offset(std::span<const std::int64_t> index) const {
  std::int64_t offset = halo_memory_.origin;
  for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * halo_memory_.strides[d];
  return static_cast<std::size_t>(offset);
}

}  // namespace tasuki::containers
