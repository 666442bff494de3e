// What tells the calls of a team's ranks apart in the few bits that a flag of the staging buffer
// has room for.
//
// Every rank writes it into its flags, and whoever waits for them compares. Ranks that call
// different collectives always differ; so do sizes with the same bytes above the lowest 12 bits;
// other sizes and roots, and the counts of v-forms that all ranks know, do but for one pair in
// 4096. Thread-safety: values.
#pragma once

#include <cstdint>
#include <tasuki/detail/coll/call.hpp>
#include <tasuki/detail/coll/collective.hpp>

namespace tasuki::node {

class CallTag {
 public:
  static constexpr int bits = 16;

  CallTag() = default;
  /// `size` as all ranks know it, such as the bytes.
  CallTag(coll::Collective collective, std::uint64_t size, int root) noexcept
      : value_((static_cast<std::uint64_t>(collective) << size_bits) |
               (folded(size ^ (static_cast<std::uint64_t>(root) * 0x9e3)))) {
    static_assert(coll::collectives_count <= 1 << (bits - size_bits));
  }
  explicit CallTag(const coll::Call& call) noexcept
      : CallTag(call.collective, common_size(call.collective, call.shape), call.shape.root) {}
  /// The tag in a flag.
  static CallTag in(std::uint64_t flag) noexcept {
    CallTag tag;
    tag.value_ = flag & ((std::uint64_t{1} << bits) - 1);
    return tag;
  }

  std::uint64_t value() const noexcept { return value_; }
  coll::Collective collective() const noexcept {
    return static_cast<coll::Collective>(value_ >> size_bits);
  }
  bool operator==(const CallTag&) const = default;

 private:
  static constexpr int size_bits = 12;
  /// What all ranks know of the sizes, as one number: the bytes or, where blocks differ, a hash of
  /// all counts.
  static std::uint64_t common_size(coll::Collective collective, const coll::Shape& shape) noexcept {
    if (!coll::varies(collective)) return shape.count * shape.element_bytes;
    std::uint64_t size = shape.element_bytes;
    if (!coll::has_common_count(collective)) return size;
    for (const std::size_t count : shape.receive_counts) {
      size = (size ^ count) * 0x9e37'79b9'7f4a'7c15;
      size ^= size >> 32;
    }
    return size;
  }
  static std::uint64_t folded(std::uint64_t size) noexcept {
    size ^= size >> 24 ^ size >> 48;
    size ^= size >> 12;
    return size & ((1 << size_bits) - 1);
  }

  std::uint64_t value_ = 0;
};

}  // namespace tasuki::node
