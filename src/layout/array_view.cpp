#include <tasuki/detail/layout/array_view.hpp>

#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <limits>

#include "layout/checked.hpp"

namespace tasuki::layout {
namespace {

[[noreturn]] void refuse_outside(std::size_t memory_bytes) {
  throw error(
      "ArrayView",
      fmt::format("elements of the array lie outside of its memory of {} bytes", memory_bytes),
      "give the offset of element 0 and the strides in bytes, and all of the memory");
}

}  // namespace

ArrayView contiguous_view(const ArrayLayout& layout, Order order) {
  const auto dimensions = static_cast<std::size_t>(layout.dimensions());
  ArrayView view{0, std::vector<std::int64_t>(dimensions)};
  std::int64_t stride_bytes = layout.element_bytes();
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::size_t at = order == Order::row_major ? dimensions - 1 - i : i;
    view.stride_bytes[at] = stride_bytes;
    stride_bytes *= std::max<std::int64_t>(1, layout.axis(static_cast<int>(at)).extent());
  }
  return view;
}

void check_dimensions(const ArrayView& view, const ArrayLayout& layout) {
  if (view.stride_bytes.size() == static_cast<std::size_t>(layout.dimensions())) return;
  throw error("ArrayView",
              fmt::format("{} strides for {} axes", view.stride_bytes.size(), layout.dimensions()),
              "give one stride per axis");
}

void check(const ArrayView& view, const ArrayLayout& layout, std::size_t memory_bytes) {
  check_dimensions(view, layout);
  if (layout.whole_bytes() == 0) return;
  // Each axis moves either the lowest element or the highest.
  std::optional<std::int64_t> lowest = view.first_offset_bytes;
  std::optional<std::int64_t> highest = checked_sum(*lowest, layout.element_bytes());
  for (std::size_t i = 0; i < view.stride_bytes.size(); ++i) {
    const std::int64_t steps = layout.axis(static_cast<int>(i)).extent() - 1;
    const auto reach_bytes = checked_product(view.stride_bytes[i], steps);
    if (!reach_bytes || !lowest || !highest) refuse_outside(memory_bytes);
    auto& end = *reach_bytes < 0 ? lowest : highest;
    end = checked_sum(*end, *reach_bytes);
  }
  const std::size_t most = std::numeric_limits<std::int64_t>::max();
  const auto end = static_cast<std::int64_t>(std::min(memory_bytes, most));
  if (!lowest || !highest || *lowest < 0 || *highest > end) refuse_outside(memory_bytes);
}

}  // namespace tasuki::layout
