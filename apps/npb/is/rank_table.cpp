#include "npb/is/rank_table.hpp"

#include <algorithm>

#include "npb/is/key_stream.hpp"

namespace tasuki::npb::is {

void RankTable::restart(Key first, Key limit) {
  first_ = first;
  ranks_.resize(static_cast<std::size_t>(limit - first));
  std::fill(ranks_.begin(), ranks_.end(), 0);
}

void RankTable::count(std::span<const Key> keys) noexcept {
  for_each_key(keys, [first = first_, counts = ranks_.data()](Key key, std::size_t) {
    ++counts[key - first];
  });
}

std::int64_t RankTable::finish() noexcept {
  std::int32_t smaller = 0;
  for (std::int32_t& entry : ranks_) {
    const std::int32_t equal = entry;
    entry = smaller;
    smaller += equal;
  }
  return smaller;
}

}  // namespace tasuki::npb::is
