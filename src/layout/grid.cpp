#include <tasuki/detail/layout/grid.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tasuki/detail/base/assert.hpp>
#include <utility>

namespace tasuki::layout {
namespace {

/// Of the extents, those that are 0 left out.
std::int64_t product(std::span<const int> extents) {
  std::int64_t ranks = 1;
  for (const int extent : extents) {
    if (extent == 0) continue;
    ranks *= extent;
    if (ranks > std::numeric_limits<int>::max()) {
      throw error("Grid", fmt::format("{} has more ranks than an int counts", extents),
                  "give smaller extents");
    }
  }
  return ranks;
}

void check_not_below(int least, std::span<const int> extents) {
  for (const int extent : extents) {
    if (extent >= least) continue;
    throw error("Grid", fmt::format("{} holds the extent {}", extents, extent),
                fmt::format("give extents of {} or more", least));
  }
}

std::vector<int> divisors_of(int number) {
  std::vector<int> divisors;
  for (std::int64_t small = 1; small * small <= number; ++small) {
    if (number % small != 0) continue;
    divisors.push_back(static_cast<int>(small));
    if (small * small != number) divisors.push_back(static_cast<int>(number / small));
  }
  std::ranges::sort(divisors);
  return divisors;
}

/// Is base to the power of `exponent` at least `value`?
bool power_reaches(std::int64_t base, std::size_t exponent, std::int64_t value) {
  std::int64_t power = 1;
  for (std::size_t i = 0; i < exponent && base > 1 && power < value; ++i) power *= base;
  return power >= value;
}

/// Writes `number` as the product of `factors`, descending and none greater than `most`, so that
/// they come first in lexicographic order. Returns: whether there is such a product.
bool factorise(int number, int most, std::span<const int> divisors, std::span<int> factors) {
  if (factors.empty()) return number == 1;
  for (const int divisor : divisors) {
    if (divisor > most) return false;
    // The first factor is the largest: if even its power is too small, so are all products.
    if (number % divisor != 0 || !power_reaches(divisor, factors.size(), number)) continue;
    factors.front() = divisor;
    if (factorise(number / divisor, divisor, divisors, factors.subspan(1))) return true;
  }
  return false;
}

}  // namespace

Grid::Grid(std::vector<int> extents, Order order)
    : extents_(std::move(extents)), strides_(extents_.size()), order_(order), ranks_(1) {
  check_not_below(1, extents_);
  ranks_ = static_cast<int>(product(extents_));
  int stride = 1;
  for (std::size_t i = 0; i < extents_.size(); ++i) {
    const std::size_t at = order == Order::row_major ? extents_.size() - 1 - i : i;
    strides_[at] = stride;
    stride *= extents_[at];
  }
}

Grid Grid::balanced(int ranks, std::vector<int> extents, Order order) {
  check_not_below(0, extents);
  const auto free_count = static_cast<std::size_t>(std::ranges::count(extents, 0));
  const std::int64_t fixed = product(extents);
  if (ranks < 1 || ranks % fixed != 0 || (free_count == 0 && ranks != fixed)) {
    throw error("Grid::balanced", fmt::format("{} ranks cannot fill a grid {}", ranks, extents),
                "give 0 for a dimension that may have any extent, or another number of ranks");
  }
  const int rest = static_cast<int>(ranks / fixed);
  std::vector<int> factors(free_count);
  [[maybe_unused]] const bool found = factorise(rest, rest, divisors_of(rest), factors);
  TASUKI_DEBUG_ASSERT(found);
  auto factor = factors.begin();
  for (int& extent : extents) {
    if (extent == 0) extent = *factor++;
  }
  return Grid(std::move(extents), order);
}

int Grid::coordinate(int rank, int dimension) const noexcept {
  TASUKI_DEBUG_ASSERT(rank >= 0 && rank < ranks_ && dimension >= 0 && dimension < dimensions());
  const auto at = static_cast<std::size_t>(dimension);
  return rank / strides_[at] % extents_[at];
}

int Grid::rank_at(std::span<const int> coordinates) const noexcept {
  TASUKI_DEBUG_ASSERT(coordinates.size() == extents_.size());
  int rank = 0;
  for (std::size_t at = 0; at < extents_.size(); ++at) {
    TASUKI_DEBUG_ASSERT(coordinates[at] >= 0 && coordinates[at] < extents_[at]);
    rank += coordinates[at] * strides_[at];
  }
  return rank;
}

}  // namespace tasuki::layout
