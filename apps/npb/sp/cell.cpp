#include "npb/sp/cell.hpp"

namespace tasuki::npb::sp {
namespace {

/// Fields begin at different distances from a page's begin: if not, the same point of all fields
/// would compete for the same few places of the first-level cache.
std::size_t padded(std::size_t size) {
  constexpr std::size_t page = 4096 / sizeof(double);
  constexpr std::size_t lines = 9 * 64 / sizeof(double);  // Odd, so that many fields differ.
  return (size + page - 1) / page * page + lines;
}

}  // namespace

Cell::Cell(const Box& box, std::int64_t edge) : box_(box) {
  std::ptrdiff_t stride = 1;
  for (const Axis axis : all_axes) {
    interior_[axis] = {box[axis].begin == 0 ? 1 : 0,
                       box[axis].size() - (box[axis].end == edge ? 1 : 0)};
    strides_[axis] = stride;
    stride *= box[axis].size() + 2 * layers;
  }
  field_size_ = padded(static_cast<std::size_t>(stride));
  values_.resize(field_count * field_size_, 0.0);
}

}  // namespace tasuki::npb::sp
