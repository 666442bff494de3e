#include <tasuki/detail/containers/halo_parts.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <tasuki/error.hpp>

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

std::vector<std::size_t> counts_of(const std::vector<Box>& boxes) {
  std::vector<std::size_t> counts;
  counts.reserve(boxes.size());
  for (const Box& box : boxes) counts.push_back(box.count());
  return counts;
}

}  // namespace

HaloParts::HaloParts(const layout::ArrayLayout& layout, int rank, std::int64_t width)
    : block_(block_of(layout, rank)),
      halo_(widened(block_, layout, checked_width(width))),
      element_bytes_(static_cast<std::size_t>(layout.element_bytes())) {
  for (int n = 0; n < layout.dimensions(); ++n) {
    fastest_.push_back(static_cast<std::size_t>(layout.nth_fastest(n)));
  }
  for (int other = 0; other < layout.ranks(); ++other) {
    const Box theirs = block_of(layout, other);
    sent_.push_back(common(block_, widened(theirs, layout, width)));
    received_.push_back(common(halo_, theirs));
  }
}

std::vector<std::size_t> HaloParts::sent_counts() const { return counts_of(sent_); }

std::vector<std::size_t> HaloParts::received_counts() const { return counts_of(received_); }

std::size_t HaloParts::sent_count() const {
  std::size_t count = 0;
  for (const Box& part : sent_) count += part.count();
  return count;
}

std::size_t HaloParts::offset_in(const Box& all, std::span<const std::int64_t> index) const {
  std::int64_t offset = 0;
  for (auto d = fastest_.rbegin(); d != fastest_.rend(); ++d) {
    offset = offset * all.extent(*d) + index[*d] - all.lower[*d];
  }
  return static_cast<std::size_t>(offset);
}

template <class Copy>
void HaloParts::for_each_run(const Box& part, const Box& all, Copy copy) const {
  if (part.count() == 0) return;
  std::vector<std::int64_t> index = part.lower;
  const std::size_t first = fastest_.front();
  const std::size_t run_bytes = static_cast<std::size_t>(part.extent(first)) * element_bytes_;
  while (true) {
    copy(offset_in(all, index) * element_bytes_, run_bytes);
    std::size_t n = 1;  // The run goes along the fastest.
    for (; n < fastest_.size(); ++n) {
      const std::size_t d = fastest_[n];
      if (++index[d] < part.upper[d]) break;
      index[d] = part.lower[d];
    }
    if (n == fastest_.size()) return;
  }
}

void HaloParts::pack(const std::byte* block, std::byte* packed) const {
  for (const Box& part : sent_) {
    for_each_run(part, block_, [&](std::size_t offset_bytes, std::size_t bytes) {
      std::memcpy(packed, block + offset_bytes, bytes);
      packed += bytes;
    });
  }
}

void HaloParts::unpack(const std::byte* packed, std::byte* halo) const {
  for (const Box& part : received_) {
    for_each_run(part, halo_, [&](std::size_t offset_bytes, std::size_t bytes) {
      std::memcpy(halo + offset_bytes, packed, bytes);
      packed += bytes;
    });
  }
}

}  // namespace tasuki::containers
