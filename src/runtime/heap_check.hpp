// Debug builds know which heap memory is live: one bit per 16 bytes, in the heap itself, so that
// peers see it too. Release builds check nothing.
//
// Thread-safety: the rank's own thread; the bits are read by peers while the owner changes others.
#pragma once

#include <cstddef>
#include <tasuki/runtime/rma.hpp>

namespace tasuki::runtime {

/// Blocks start at multiples of this, so that one bit speaks of one block only.
inline constexpr std::size_t heap_granule_bytes = 16;

#ifdef TASUKI_DEBUG
/// Notes that heap memory of this rank came to life or was freed.
void mark_live(World& world, const void* address, std::size_t bytes, bool live);
/// Throws tasuki::error if any of the bytes was freed, or was never allocated, in a shared heap.
void check_live(World& world, RemoteAddress at, std::size_t bytes, const char* operation);
#else
inline void mark_live(World&, const void*, std::size_t, bool) {}
inline void check_live(World&, RemoteAddress, std::size_t, const char*) {}
#endif

}  // namespace tasuki::runtime
