#include "rpc/rank/layout_in_c.hpp"

#include <algorithm>
#include <tasuki/detail/layout/scalapack.hpp>
#include <tasuki/error.hpp>
#include <variant>

namespace tasuki::rpc {
namespace {

using layout::ArrayLayout;

/// The same elements in the same memory, as Fortran counts the dimensions.
ArrayLayout transposed(const ArrayLayout& array) {
  const auto& grid = std::get<layout::Grid>(array.placement());
  return {{array.axis(1), array.axis(0)},
          layout::Grid({grid.extents()[1], grid.extents()[0]}, layout::Order::column_major),
          static_cast<std::size_t>(array.element_bytes()),
          layout::Order::column_major};
}

void write_descriptor(const ArrayLayout& array, int rank, int* descriptor) {
  if (array.dimensions() != 2 || !std::holds_alternative<layout::Grid>(array.placement())) return;
  try {
    std::ranges::copy(layout::descriptor_of(transposed(array), rank, 0), descriptor);
  } catch (const error&) {
    return;  // A number is beyond int: ScaLAPACK cannot have this array.
  }
}

}  // namespace

LayoutInC::LayoutInC(const ArrayLayout& array, int rank) {
  for (int i = 0; i < array.dimensions(); ++i) {
    axes_.push_back(array.axis(i));
    extents_.push_back(array.axis(i).extent());
    local_extents_.push_back(array.local_extent(rank, i));
    block_extents_.push_back(array.axis(i).block_extent());
    grid_.push_back(array.axis(i).processes());
    coordinates_.push_back(array.process(rank, i));
  }
  view_ = {
      array.dimensions(), extents_.data(),     local_extents_.data(),         block_extents_.data(),
      grid_.data(),       coordinates_.data(), array.leading_dimension(rank), {}};
  write_descriptor(array, rank, view_.descriptor);
}

std::int64_t LayoutInC::global_index(int dimension, std::int64_t local_index) const noexcept {
  if (dimension < 0 || dimension >= view_.dimensions) return -1;
  const auto i = static_cast<std::size_t>(dimension);
  if (local_index < 0 || local_index >= local_extents_[i]) return -1;
  return axes_[i].global_index(coordinates_[i], local_index);
}

}  // namespace tasuki::rpc
