#include "runtime/memory/heap_check.hpp"

#ifdef TASUKI_DEBUG

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/error.hpp>
#include <vector>

#include "runtime/memory/shared_heap.hpp"

namespace tasuki::runtime {
namespace {

/// Bits [first, end) of a shadow, eight at a time.
struct BitRange {
  std::size_t first;
  std::size_t end;

  static BitRange of(std::size_t offset, std::size_t bytes) {
    return {
        offset / heap_granule_bytes,
        (offset + std::max<std::size_t>(bytes, 1) + heap_granule_bytes - 1) / heap_granule_bytes};
  }
  /// Calls visit(index of the byte, mask of its bits) until it returns false.
  template <class Visit>
  bool each_byte(Visit visit) const {
    for (std::size_t bit = first; bit < end;) {
      const std::size_t next = std::min(end, (bit / 8 + 1) * 8);
      const unsigned below_next = (1U << (next - bit / 8 * 8)) - 1;
      const unsigned below_bit = (1U << bit % 8) - 1;
      if (!visit(bit / 8, static_cast<unsigned char>(below_next & ~below_bit))) return false;
      bit = next;
    }
    return true;
  }
};

unsigned char* shadow_bytes(std::byte* shadow) { return reinterpret_cast<unsigned char*>(shadow); }

/// How much of each heap is watched. Behind a shorter heap lies something else.
std::size_t watched_bytes(Rank& self) {
  return std::min(heap_watched_bytes, self.transport.memory().heap().reserved_bytes);
}

/// Offset in the watched part of the heap that begins at `base`, or `most` if it lies elsewhere.
std::size_t watched_offset(std::uintptr_t base, std::uintptr_t address, std::size_t most) {
  if (base == 0 || address < base) return most;
  return std::min<std::size_t>(address - base, most);
}

}  // namespace

void mark_live(Rank& self, const void* address, std::size_t bytes, bool live) {
  const std::uintptr_t base = self.heap->watched_base(self.rank);
  const std::size_t most = watched_bytes(self);
  const std::size_t offset = watched_offset(base, reinterpret_cast<std::uintptr_t>(address), most);
  if (offset >= most) return;
  unsigned char* bits = shadow_bytes(reinterpret_cast<std::byte*>(base));
  const std::size_t checked_bytes = std::min(bytes, most - offset);
  BitRange::of(offset, checked_bytes).each_byte([&](std::size_t index, unsigned char mask) {
    const auto value = static_cast<unsigned char>(live ? bits[index] | mask : bits[index] & ~mask);
    __atomic_store_n(bits + index, value, __ATOMIC_RELAXED);
    return true;
  });
}

void check_live(Rank& self, RemoteAddress at, std::size_t bytes, const char* operation) {
  const std::uintptr_t base = self.heap->watched_base(at.rank);
  const std::size_t most = watched_bytes(self);
  const std::size_t offset = watched_offset(base, at.address, most);
  if (offset >= most) return;
  std::byte* shadow = at.rank == self.rank
                          ? reinterpret_cast<std::byte*>(base)
                          : self.transport.memory().map(at.rank, base, heap_shadow_bytes);
  if (shadow == nullptr) return;  // on another node, whose rank checks what arrives
  const unsigned char* bits = shadow_bytes(shadow);
  const std::size_t checked_bytes = std::min(bytes, most - offset);
  const bool all_live =
      BitRange::of(offset, checked_bytes).each_byte([&](std::size_t index, unsigned char mask) {
        return (__atomic_load_n(bits + index, __ATOMIC_RELAXED) & mask) == mask;
      });
  if (all_live) return;
  throw error(operation,
              fmt::format("the {} bytes at {:#x} in the heap of rank {} were freed or never "
                          "allocated, at least in part",
                          bytes, at.address, at.rank),
              "do not use a global pointer after delete_, nor beyond the end of its array");
}

}  // namespace tasuki::runtime

#endif
