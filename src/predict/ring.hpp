// The last values of each stream, by their positions: 0, 1, ... since the stream began.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <tasuki/detail/base/assert.hpp>

#include "predict/guess.hpp"

namespace tasuki::predict {

template <class Value>
class Ring {
 public:
  explicit Ring(const StreamSizes& sizes)
      : mask_(sizes.history_count - 1),
        counts_(sizes.streams_count),
        // Not initialised: of most channels no page is ever touched.
        values_(
            std::make_unique_for_overwrite<Value[]>(sizes.streams_count * sizes.history_count)) {
    TASUKI_ASSERT(std::has_single_bit(sizes.history_count));
  }

  /// How many values the stream has had: the position of the next one.
  std::uint32_t count(std::size_t stream) const noexcept { return counts_[stream]; }

  /// Positions are counted modulo 2^32.
  bool holds(std::size_t stream, std::uint32_t position) const noexcept {
    const std::uint32_t age = counts_[stream] - position;
    return age != 0 && age <= mask_ + 1;
  }

  /// Requires: it is held.
  const Value& at(std::size_t stream, std::uint32_t position) const noexcept {
    return values_[stream * (mask_ + 1) + (position & mask_)];
  }

  std::uint32_t push(std::size_t stream, const Value& value) noexcept {
    const std::uint32_t position = counts_[stream]++;
    values_[stream * (mask_ + 1) + (position & mask_)] = value;
    return position;
  }

  void forget(std::size_t stream) noexcept { counts_[stream] = 0; }

 private:
  std::size_t mask_;
  std::vector<std::uint32_t> counts_;
  std::unique_ptr<Value[]> values_;
};

}  // namespace tasuki::predict
