// memcpy for copies whose size is known only when they run and is often small: up to 64 bytes are
// copied in place, by two or four moves that may overlap each other, where a call of memcpy would
// take longer than the copy.
//
// Called by remote memory access. Thread-safety: as memcpy.
#pragma once

#include <cstddef>
#include <cstring>

namespace tasuki::base {

/// The first and the last `part_bytes` of the `bytes`, which together are all of them.
/// Requires: part_bytes <= bytes <= 2 * part_bytes.
template <std::size_t part_bytes>
inline void copy_both_ends(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  std::byte first[part_bytes];
  std::byte last[part_bytes];
  std::memcpy(first, from, part_bytes);
  std::memcpy(last, from + bytes - part_bytes, part_bytes);
  std::memcpy(to, first, part_bytes);
  std::memcpy(to + bytes - part_bytes, last, part_bytes);
}

/// Requires: the two areas do not overlap.
inline void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  if (bytes > 64) {
    std::memcpy(to, from, bytes);
  } else if (bytes >= 32) {
    copy_both_ends<32>(to, from, bytes);
  } else if (bytes >= 16) {
    copy_both_ends<16>(to, from, bytes);
  } else if (bytes >= 8) {
    copy_both_ends<8>(to, from, bytes);
  } else if (bytes >= 4) {
    copy_both_ends<4>(to, from, bytes);
  } else if (bytes >= 2) {
    copy_both_ends<2>(to, from, bytes);
  } else if (bytes == 1) {
    *to = *from;
  }
}

}  // namespace tasuki::base
