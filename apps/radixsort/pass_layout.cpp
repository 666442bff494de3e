#include "radixsort/pass_layout.hpp"

#include <algorithm>

namespace tasuki::radixsort {

PassLayout::PassLayout(std::span<const std::int64_t> counts, std::int64_t radix)
    : radix_(static_cast<std::size_t>(radix)), segments_(counts.size()) {
  std::int64_t place = 0;
  for (std::size_t digit = 0; digit < radix_; ++digit) {
    for (std::size_t index = digit; index < counts.size(); index += radix_) {
      segments_[index] = {place, place + counts[index]};
      place += counts[index];
    }
  }
}

apps::Range intersection(apps::Range one, apps::Range other) noexcept {
  const std::int64_t begin = std::max(one.begin, other.begin);
  return {begin, std::max(begin, std::min(one.end, other.end))};
}

}  // namespace tasuki::radixsort
