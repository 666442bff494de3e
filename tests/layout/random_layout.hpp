// Seeded random layouts of small arrays, and all indices of an array, to compare with brute force.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/array_view.hpp>
#include <utility>
#include <vector>

namespace tasuki::layout {

using Index = std::vector<std::int64_t>;

class RandomLayouts {
 public:
  explicit RandomLayouts(unsigned seed) : engine_(seed) {}

  std::int64_t number(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(engine_);
  }

  Axis axis(std::int64_t most_extent, int processes) {
    const std::int64_t extent = number(0, most_extent);
    switch (number(0, processes == 1 ? 3 : 2)) {
      case 0:
        return Axis(extent, Block{}, processes);
      case 1:
        return Axis(extent, Cyclic{}, processes);
      case 2:
        return Axis(extent, BlockCyclic{number(1, 5)}, processes);
      default:
        return Axis(extent, Whole{}, processes);
    }
  }

  /// Of none to four axes.
  ArrayLayout layout() {
    constexpr std::int64_t sizes_bytes[] = {1, 2, 3, 4, 8, 16, 24};
    const auto dimensions = number(0, 4);
    std::vector<int> extents;
    std::vector<Axis> axes;
    for (std::int64_t i = 0; i < dimensions; ++i) {
      extents.push_back(static_cast<int>(number(1, 3)));
      axes.push_back(axis(dimensions > 2 ? 9 : 70, extents.back()));
    }
    Grid grid(std::move(extents), order());
    const auto element_bytes = static_cast<std::size_t>(sizes_bytes[number(0, 6)]);
    return ArrayLayout(std::move(axes), std::move(grid), element_bytes, order());
  }

  IndexRange range(std::int64_t extent) {
    const std::int64_t lower = number(0, extent);
    return {lower, number(lower, extent), number(0, 1) == 0 ? 1 : number(1, 8)};
  }

  /// The same layout with random ranges.
  ArrayLayout selection(const ArrayLayout& layout) {
    std::vector<IndexRange> ranges;
    for (int i = 0; i < layout.dimensions(); ++i) {
      const std::int64_t extent = layout.axis(i).extent();
      ranges.push_back(number(0, 2) == 0 ? IndexRange{0, extent, 1} : range(extent));
    }
    return layout.selecting(std::move(ranges));
  }

  /// With gaps between elements, in any order of axes, and some axes backwards.
  ArrayView view(const ArrayLayout& layout) {
    const auto dimensions = static_cast<std::size_t>(layout.dimensions());
    std::vector<std::size_t> by_stride(dimensions);
    for (std::size_t i = 0; i < dimensions; ++i) by_stride[i] = i;
    if (number(0, 1) == 0) std::shuffle(by_stride.begin(), by_stride.end(), engine_);
    ArrayView view{0, Index(dimensions)};
    std::int64_t stride_bytes = layout.element_bytes();
    for (const std::size_t i : by_stride) {
      const std::int64_t extent =
          std::max<std::int64_t>(1, layout.axis(static_cast<int>(i)).extent());
      if (number(0, 3) == 0) stride_bytes += number(0, 2) * layout.element_bytes();
      const bool is_backwards = number(0, 3) == 0;
      view.stride_bytes[i] = is_backwards ? -stride_bytes : stride_bytes;
      if (is_backwards) view.first_offset_bytes += stride_bytes * (extent - 1);
      stride_bytes *= extent;
    }
    return view;
  }

 private:
  Order order() { return number(0, 1) == 0 ? Order::row_major : Order::column_major; }

  std::mt19937 engine_;
};

/// Bytes from the begin of the memory to the end of the last element.
inline std::size_t memory_bytes(const ArrayView& view, const ArrayLayout& layout) {
  std::int64_t end = view.first_offset_bytes + layout.element_bytes();
  for (std::size_t i = 0; i < view.stride_bytes.size(); ++i) {
    const std::int64_t steps = layout.axis(static_cast<int>(i)).extent() - 1;
    end += std::max<std::int64_t>(0, view.stride_bytes[i] * steps);
  }
  return static_cast<std::size_t>(end);
}

/// All indices of an array of these extents, in the order given.
inline std::vector<Index> all_indices(const Index& extents, Order order) {
  std::vector<Index> all;
  for (const std::int64_t extent : extents)
    if (extent == 0) return all;
  Index index(extents.size());
  while (true) {
    all.push_back(index);
    std::size_t n = 0;
    for (; n < extents.size(); ++n) {
      const std::size_t at = order == Order::row_major ? extents.size() - 1 - n : n;
      if (++index[at] < extents[at]) break;
      index[at] = 0;
    }
    if (n == extents.size()) return all;
  }
}

/// The global indices of the rank's elements, in the order of its block, by enumeration.
inline std::vector<Index> indices_of(const ArrayLayout& layout, int rank) {
  Index extents;
  for (int i = 0; i < layout.dimensions(); ++i) extents.push_back(layout.axis(i).extent());
  std::vector<Index> all = all_indices(extents, layout.order());
  std::erase_if(all, [&](const Index& index) { return layout.owner(index) != rank; });
  return all;
}

inline bool is_selected(const ArrayLayout& layout, const Index& index) {
  for (int i = 0; i < layout.dimensions(); ++i) {
    const IndexRange range = layout.range(i);
    const std::int64_t one = index[static_cast<std::size_t>(i)];
    const bool is_in_range = range.lower <= one && one < range.upper;
    if (!is_in_range || (one - range.lower) % range.step != 0) return false;
  }
  return true;
}

inline std::int64_t offset_bytes(const ArrayView& view, const Index& index) {
  std::int64_t offset = view.first_offset_bytes;
  for (std::size_t i = 0; i < index.size(); ++i) offset += view.stride_bytes[i] * index[i];
  return offset;
}

}  // namespace tasuki::layout
