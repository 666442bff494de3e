#include <tasuki/detail/layout/overlap.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "layout/checked.hpp"

namespace tasuki::layout {
namespace {

/// No memory is longer, and sums of a few such lengths fit into 64 bits.
constexpr std::int64_t longest_bytes = std::int64_t{1} << 60;
/// Parts of one array need one or two for each axis.
constexpr int tries_most = 1000;

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && a < 0 ? 1 : 0);
}

/// Returns: the bytes from the lowest to the highest; nothing if they are more than any memory.
std::optional<std::int64_t> length_of(const PlacedElements& elements) {
  std::int64_t bytes = elements.element_bytes;
  for (const auto& [stride_bytes, count] : elements.steps) {
    const auto reach = checked_product(stride_bytes, count - 1);
    const auto sum = reach ? checked_sum(bytes, *reach) : reach;
    if (!sum || *sum > longest_bytes) return {};
    bytes = *sum;
  }
  return bytes;
}

/// Searches for an element of each array such that they overlap: for indices within their limits
/// with which the distance of the two is between `low` and `high`.
class Search {
 public:
  Search(const PlacedElements& one, const PlacedElements& other)
      : low_(1 - other.element_bytes), high_(one.element_bytes - 1) {
    // The distance counts what the index of the other one is more than this one's.
    std::map<std::int64_t, Limits, std::greater<>> limits;
    for (const auto& [stride_bytes, count] : one.steps) limits[stride_bytes].least -= count - 1;
    for (const auto& [stride_bytes, count] : other.steps) limits[stride_bytes].most += count - 1;
    for (const auto& [stride_bytes, of_index] : limits) {
      axes_.push_back({stride_bytes, of_index});
    }
    // From the shortest stride on: what the strides after this one can make up.
    std::int64_t divisor = 0;
    Limits reach;
    for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
      axis->reach = reach;
      axis->divisor = divisor = std::gcd(divisor, axis->stride_bytes);
      reach.least += axis->stride_bytes * axis->index.least;
      reach.most += axis->stride_bytes * axis->index.most;
    }
  }

  Overlap run(std::int64_t distance) {
    if (finds(0, distance)) return Overlap::some;
    return tries_count_ > tries_most ? Overlap::unknown : Overlap::none;
  }

 private:
  struct Limits {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  struct Axis {
    std::int64_t stride_bytes;
    Limits index;
    Limits reach = {};         ///< Of all shorter strides together, in bytes.
    std::int64_t divisor = 1;  ///< Of this stride and all shorter ones.
  };

  bool finds(std::size_t at, std::int64_t distance) {
    if (at == axes_.size()) return low_ <= distance && distance <= high_;
    if (++tries_count_ > tries_most) return false;
    const Axis& axis = axes_[at];
    const std::int64_t steps_above_low = floor_quotient(distance - low_, axis.divisor);
    if (distance - axis.divisor * steps_above_low > high_) return false;
    const std::int64_t least =
        -floor_quotient(distance + axis.reach.most - low_, axis.stride_bytes);
    const std::int64_t most =
        floor_quotient(high_ - distance - axis.reach.least, axis.stride_bytes);
    for (std::int64_t i = std::max(least, axis.index.least); i <= std::min(most, axis.index.most);
         ++i) {
      if (finds(at + 1, distance + i * axis.stride_bytes)) return true;
      if (tries_count_ > tries_most) return false;
    }
    return false;
  }

  std::int64_t low_;
  std::int64_t high_;
  std::vector<Axis> axes_ = {};  ///< The longest stride first.
  int tries_count_ = 0;
};

}  // namespace

PlacedElements placed_elements(const ArrayLayout& layout, const ArrayView& view,
                               const std::byte* memory) {
  if (layout.whole_bytes() == 0) return {memory, 0};
  std::int64_t lowest_bytes = view.first_offset_bytes;
  PlacedElements placed{memory, layout.element_bytes()};
  for (std::size_t i = 0; i < view.stride_bytes.size(); ++i) {
    const std::int64_t stride_bytes = view.stride_bytes[i];
    const std::int64_t count = layout.axis(static_cast<int>(i)).extent();
    if (stride_bytes == 0 || count == 1) continue;
    if (stride_bytes < 0) lowest_bytes += stride_bytes * (count - 1);
    placed.steps.push_back({std::abs(stride_bytes), count});
  }
  placed.lowest = memory + lowest_bytes;
  return placed;
}

Overlap overlap_of(const PlacedElements& one, const PlacedElements& other) {
  if (one.element_bytes == 0 || other.element_bytes == 0) return Overlap::none;
  const auto length = length_of(one);
  const auto other_length = length_of(other);
  if (!length || !other_length) return Overlap::unknown;
  const std::less<> before;
  if (!before(one.lowest, other.lowest + *other_length) ||
      !before(other.lowest, one.lowest + *length)) {
    return Overlap::none;
  }
  return Search(one, other).run(other.lowest - one.lowest);
}

}  // namespace tasuki::layout
