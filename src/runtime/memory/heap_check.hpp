// Debug builds know which heap memory is live: one bit per 16 bytes, at the beginning of the heap
// itself so that peers see it too. Release builds check nothing.
//
// Thread-safety: the rank's own thread; the bits are read by peers while the owner changes others.
#pragma once

#include <cstddef>
#include <tasuki/detail/runtime/memory/rma.hpp>

namespace tasuki::runtime {

/// Blocks start at multiples of this, so that one bit speaks of one block only.
inline constexpr std::size_t heap_granule_bytes = 16;

#ifdef TASUKI_DEBUG
inline constexpr bool heap_is_checked = true;
/// What the bits speak of: the first part of the heap; what lies beyond is not checked.
inline constexpr std::size_t heap_watched_bytes = std::size_t{1} << 30U;
inline constexpr std::size_t heap_shadow_bytes = heap_watched_bytes / heap_granule_bytes / 8;

/// Notes that heap memory of this rank came to life or was freed.
void mark_live(Rank& self, const void* address, std::size_t bytes, bool live);
/// Throws tasuki::error if any of the bytes was freed, or was never allocated, in a shared heap
/// whose bits can be seen from here.
void check_live(Rank& self, RemoteAddress at, std::size_t bytes, const char* operation);
#else
inline constexpr bool heap_is_checked = false;
inline constexpr std::size_t heap_shadow_bytes = 0;
inline void mark_live(Rank&, const void*, std::size_t, bool) {}
inline void check_live(Rank&, RemoteAddress, std::size_t, const char*) {}
#endif

}  // namespace tasuki::runtime
