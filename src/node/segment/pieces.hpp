// A vector cut into pieces that fit the staging buffer, one for each step.
//
// Used by the collectives on shared memory. Thread-safety: values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <tasuki/detail/base/copy_bytes.hpp>
#include <tasuki/detail/coll/call.hpp>

namespace tasuki::node {

class Pieces {
 public:
  /// `count` elements of `element_bytes`, at least one and at most `most_bytes` in a piece.
  Pieces(std::size_t count, std::size_t element_bytes, std::size_t most_bytes)
      : count_(count), element_bytes_(element_bytes), most_(count), steps_(count != 0 ? 1 : 0) {
    // Short vectors need no division, each of which takes some ns.
    if (count * element_bytes <= most_bytes) return;
    most_ = std::max<std::size_t>(most_bytes / element_bytes, 1);
    steps_ = (count + most_ - 1) / most_;
  }

  std::size_t steps() const noexcept { return steps_; }
  std::size_t count(std::size_t step) const noexcept { return count_of(count_, step); }
  /// Of a vector that is cut in the same way and may be shorter.
  std::size_t count_of(std::size_t shorter_count, std::size_t step) const noexcept {
    return std::min(most_, shorter_count - std::min(shorter_count, step * most_));
  }
  std::size_t bytes(std::size_t step) const noexcept { return count(step) * element_bytes_; }
  std::size_t offset_bytes(std::size_t step) const noexcept {
    return step * most_ * element_bytes_;
  }

 private:
  std::size_t count_;
  std::size_t element_bytes_;
  std::size_t most_;
  std::size_t steps_;
};

/// What a rank gives itself, unless it lies where it goes.
inline void copy_self_block(std::span<std::byte> into, const std::byte* from) noexcept {
  if (into.data() != from) base::copy_bytes(into.data(), from, into.size());
}

inline const std::byte* input_of(const coll::Call& call) {
  return static_cast<const std::byte*>(call.input);
}
inline std::byte* output_of(const coll::Call& call) { return static_cast<std::byte*>(call.output); }

}  // namespace tasuki::node
